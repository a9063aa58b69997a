"""What is fitted: to public tasks, to ship; and to the labelled cases of a catalog."""

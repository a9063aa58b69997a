"""What ``bench_selection`` measures: the selection core, and libraries that answer alike."""

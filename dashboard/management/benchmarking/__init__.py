"""How long the pages take: a crowded catalog, and the measuring of every page of one."""

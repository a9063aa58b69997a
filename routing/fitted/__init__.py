"""What was learned, as rows that releases name, and how long it is carried on."""

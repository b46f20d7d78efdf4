"""Sessions of [MS-MQQB]: packets judged by those that went before."""

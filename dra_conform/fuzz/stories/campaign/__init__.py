"""Stories put to two implementations, differences counted, the first of each sort made small and written."""

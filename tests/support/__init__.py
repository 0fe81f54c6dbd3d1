"""What several folders of tests need."""

"""Small parts that several windows use. They show; they decide nothing."""

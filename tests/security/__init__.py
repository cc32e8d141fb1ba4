"""Who may do what, proved for every way in; and the attacks that a site of this kind meets."""

"""What a link is: 3-D and 6-D arithmetic, joints, and one link's share of every recursion."""

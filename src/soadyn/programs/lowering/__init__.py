"""From formulas to programs: operators become equations at each link, equations become sweeps.

formula  ->  nodes (build)  ->  recursions (recursions)  ->  walks (walks)  ->  Program (stages)
"""

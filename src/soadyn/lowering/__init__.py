"""From formulas to programs: operators become equations at each link, equations become sweeps.

expression  ->  nodes (graph, building)  ->  recursions (expanding)  ->  walks (walking)  ->  Program (stages)
"""

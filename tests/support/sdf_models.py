"""Small SDF models that between them use everything the reader knows."""

from __future__ import annotations

INERTIAL = """<inertial><pose>0.1 -0.2 0.3 0.1 0.2 0.3</pose><mass>2</mass>
  <inertia><ixx>0.2</ixx><iyy>0.3</iyy><izz>0.4</izz><ixy>0.01</ixy><ixz>-0.02</ixz><iyz>0.03</iyz></inertia></inertial>"""


def link(name: str, pose: str = "", more: str = "") -> str:
    """A <link> with a body; `pose` is the text of its pose."""
    return f'<link name="{name}">{f"<pose>{pose}</pose>" if pose else ""}{INERTIAL}{more}</link>\n'


def joint(name: str, kind: str, parent: str, child: str, axis: str = "0 0 1", more: str = "", inside: str = "") -> str:
    """A <joint>; `inside` is in its <axis>."""
    turns = f"<axis><xyz>{axis}</xyz>{inside}</axis>" if axis else ""
    return f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>{turns}{more}</joint>\n'


def sdf(inside: str, version: str = "1.9", attributes: str = "") -> str:
    """A whole file with one model."""
    return f'<sdf version="{version}"><model name="robot"{attributes}>\n{inside}</model></sdf>\n'


ARM = sdf(
    link("base", "0 0 0.5 0 0 0.3")
    + link("upper", "0.2 0 1 0.3 0 0")
    + link("lower", "0.2 0.4 1.2 0 0.4 0")
    + joint("stand", "fixed", "world", "base", axis="")
    + joint(
        "shoulder",
        "revolute",
        "base",
        "upper",
        "0 1 0.5",
        inside="<limit><lower>-1</lower><upper>2</upper><effort>3</effort><velocity>4</velocity></limit>"
        "<dynamics><damping>0.1</damping><friction>0.2</friction><spring_reference>0.3</spring_reference>"
        "<spring_stiffness>0.4</spring_stiffness></dynamics>",
    )
    + joint("elbow", "prismatic", "upper", "lower", "1 0 0", "<pose>0 0.1 0 0 0 0.2</pose>")
)
FOURBAR = sdf(
    link("crank", "0 0 0 0 0 1.2")
    + link("coupler", "0.1087 0.2796 0 0 0 0.2")
    + link("rocker", "0.8 0 0 0 0 1.9")
    + joint("a", "revolute", "world", "crank")
    + joint("b", "revolute", "crank", "coupler")
    + joint("c", "revolute", "world", "rocker")
    + joint("d", "revolute", "coupler", "rocker", more="<pose>0.6 0 0 0 0 0</pose>")
)
GEARED = sdf(
    link("base")
    + link("rotor", "0 0 0.1 0 0 0")
    + link("wheel", "0 0.2 0.1 0 0 0")
    + joint("stand", "fixed", "world", "base", axis="")
    + joint("input", "revolute", "base", "rotor")
    + joint("output", "revolute", "base", "wheel", "0 0 -1")
    + joint(
        "gear",
        "gearbox",
        "rotor",
        "wheel",
        more="<axis2><xyz>0 0 1</xyz></axis2><gearbox_ratio>5</gearbox_ratio>"
        "<gearbox_reference_body>base</gearbox_reference_body>",
    )
)
NESTED = sdf(
    link("base", "0 0 1 0 0 0")
    + '<model name="hand"><pose relative_to="mount">0 0 0.1 0 0 0.5</pose>\n'
    + link("palm")
    + link("finger", "0.1 0 0 0 0 0")
    + joint("knuckle", "revolute", "palm", "finger", "0 1 0")
    + '<frame name="tip" attached_to="finger"><pose>0.2 0 0 0 0 0</pose></frame></model>\n'
    + '<frame name="mount" attached_to="base"><pose degrees="true">0 0 0.3 90 0 0</pose></frame>\n'
    + joint("grip", "fixed", "base", "hand::palm", axis="")
    + joint("twist", "revolute", "hand::tip", "tool", "0 0 1")
    + '<link name="tool"><pose relative_to="hand::tip">0 0 0.1 0 0 0</pose>'
    + INERTIAL
    + "</link>\n"
)
SDF_MODELS = {"arm": ARM, "fourbar": FOURBAR, "geared": GEARED, "nested": NESTED}

"""URDF robots with a loop and with a coupling, and both spoilt in many ways, each with the words of its error."""

from __future__ import annotations

BODY = """<inertial><origin xyz="0.1 0 0"/><mass value="1"/>
  <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>""".replace("\n", "")


def link(name: str) -> str:
    return f'<link name="{name}">{BODY}</link>\n'


def joint(name: str, parent: str, child: str, kind: str = "continuous", xyz: str = "0 0 0", more: str = "") -> str:
    return (
        f'<joint name="{name}" type="{kind}"{more}><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{xyz}"/><axis xyz="0 0 1"/></joint>\n'
    )


FOURBAR = (
    '<robot name="fourbar"><link name="base"/>\n'
    + link("crank") + link("coupler") + link("rocker")
    + joint("a", "base", "crank", more=' independent="true"') + joint("b", "crank", "coupler", xyz="0.3 0 0")
    + joint("c", "base", "rocker", xyz="0.8 0 0")
    + """<loop name="pin" type="revolute">
  <predecessor link="coupler"><origin xyz="0.9 0 0" rpy="0 0 0.1"/></predecessor>
  <successor link="rocker"><origin xyz="0.7 0 0"/></successor>
  <axis xyz="0 0 1"/>
</loop>
</robot>"""
)  # fmt: skip

GEARED = (
    '<robot name="geared"><link name="base"/>\n' + "".join(link(x) for x in ("a", "b", "c", "tip", "rotor"))
    + joint("qa", "base", "a") + joint("qb", "a", "b") + joint("w", "b", "c", "fixed") + joint("qc", "c", "tip")
    + joint("qr", "a", "rotor", more=' independent="false"')
    + '<coupling name="belt"><predecessor link="tip"/><successor link="rotor"/><ratio value="6"/></coupling>\n</robot>'
)  # fmt: skip

# What is changed in FOURBAR or GEARED, what it is changed to, what is said.
SPOILT: dict[str, tuple[str, str, str, str]] = {
    "no name": (FOURBAR, '<loop name="pin"', "<loop", r":8: <loop> has no attribute \"name\""),
    "no type": (FOURBAR, ' type="revolute"', "", r":8: <loop name=\"pin\"> has no attribute \"type\""),
    "unknown type": (
        FOURBAR,
        'pin" type="revolute"',
        'pin" type="hinge"',
        r":8: loop 'pin': unknown loop type 'hinge'",
    ),
    "floating": (
        FOURBAR,
        'pin" type="revolute"',
        'pin" type="floating"',
        r":8: loop 'pin': unknown loop type 'floating'",
    ),
    "no successor": (
        FOURBAR,
        '  <successor link="rocker"><origin xyz="0.7 0 0"/></successor>\n',
        "",
        r":8: <loop name=\"pin\"> has no <successor> element",
    ),
    "unknown link": (
        FOURBAR,
        'predecessor link="coupler"',
        'predecessor link="copler"',
        r":9: loop 'pin': unknown link 'copler'\. Did you mean 'coupler'",
    ),
    "a link with itself": (
        FOURBAR,
        'successor link="rocker"',
        'successor link="coupler"',
        r":8: closure 'pin' joins 'coupler' to itself; its frames must move apart",
    ),
    "nan": (FOURBAR, 'xyz="0.9 0 0"', 'xyz="nan 0 0"', r":9: <origin> of .*'nan' is not a finite number"),
    "zero axis": (
        FOURBAR,
        '<axis xyz="0 0 1"/>\n</loop>',
        '<axis xyz="0 0 0"/>\n</loop>',
        r":11: loop 'pin' has axis \"0 0 0\"",
    ),
    "huge numbers": (
        FOURBAR,
        'xyz="0.9 0 0"',
        'xyz="1e308 1e308 0"',
        r":8: closure 'pin': its placements are too large; expected less than 1e\+100 m",
    ),
    "twice": (
        FOURBAR,
        "</loop>",
        "</loop>" + FOURBAR[FOURBAR.index("<loop") : FOURBAR.index("</robot>")],
        r":\d+: robot 'fourbar' has a closure 'pin' already",
    ),
    "axes not across": (
        FOURBAR,
        'pin" type="revolute">',
        'pin" type="universal"><axis2 xyz="0 1 1"/>',
        r":8: joint 'pin' closes a loop, and its two axes are not across each other",
    ),
    "no ratio": (GEARED, '<ratio value="6"/>', "", r"<coupling name=\"belt\"> has no <ratio> element"),
    "nan ratio": (GEARED, 'value="6"', 'value="nan"', r"<ratio> of coupling 'belt' has value=\"nan\""),
    "no ratio at all": (
        GEARED,
        'value="6"',
        'value="0"',
        r"<string>:\d+: coupling 'belt': the coefficients of joint 'qc' must be",
    ),
    "nothing between": (
        GEARED,
        'predecessor link="tip"',
        'predecessor link="rotor"',
        r"<string>:\d+: coupling 'belt': nothing moves between links 'rotor' and 'rotor'",
    ),
    "a coupling of a ball": (
        GEARED,
        'name="qr" type="continuous"',
        'name="qr" type="spherical"',
        r"<string>:\d+: coupling 'belt': joint 'qr' has several coordinates",
    ),
    "a circle of couplings": (
        GEARED,
        "</coupling>",
        "</coupling>"
        + "".join(
            f'<coupling name="x{k}"><predecessor link="{p}"/><successor link="{s}"/><ratio value="2"/></coupling>\n'
            for k, (p, s) in enumerate((("b", "rotor"), ("rotor", "b")))
        ),
        r"<string>:\d+: coupling 'x1' of joints 'qr' and 'qb' closes a circle of couplings",
    ),
}

"""A small SDF arm spoilt in many ways, each with the words of its error."""

from __future__ import annotations

ARM = """<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <link name="upper">
      <pose>0 0 1 0 0 0</pose>
      <inertial>
        <pose>0 0 0.1 0 0 0</pose>
        <mass>2</mass>
        <inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>
      </inertial>
    </link>
    <link name="lower"><pose relative_to="upper">0 0 1 0 0 0</pose></link>
    <joint name="shoulder" type="revolute">
      <parent>base</parent>
      <child>upper</child>
      <axis><xyz>0 1 0</xyz>
        <limit><lower>-1</lower><upper>1</upper></limit>
      </axis>
    </joint>
    <joint name="elbow" type="universal">
      <parent>upper</parent>
      <child>lower</child>
      <axis><xyz>0 1 0</xyz></axis>
      <axis2><xyz>1 0 0</xyz></axis2>
    </joint>
    <frame name="tip" attached_to="lower"><pose>0 0 1 0 0 0</pose></frame>
  </model>
</sdf>
"""

AGAIN = """</joint>
    <joint name="again" type="universal">
      <parent>base</parent><child>lower</child>
      <axis><xyz>0 1 0</xyz></axis><axis2><xyz>1 0.5 0</xyz></axis2>
    </joint>
    <frame"""

CHANGES = {
    "negative mass": ("<mass>2", "<mass>-2", r"arm\.sdf:8: link 'upper' has mass -2\.0; a mass must be zero or more"),
    "nan mass": (
        "<mass>2",
        "<mass>nan",
        r"arm\.sdf:8: <mass> of link 'upper' says \"nan\"; 'nan' is not a finite number",
    ),
    "overflowing mass": ("<mass>2", "<mass>1e999", r":8: .*'1e999' is not a finite number"),
    "mass is a word": ("<mass>2", "<mass>heavy", r":8: .*'heavy' is not a finite number"),
    "empty mass": ("<mass>2", "<mass>", r":8: .*says \"\"; expected one number, found 0"),
    "two masses": ("<mass>2", "<mass>2</mass><mass>3", r":8: <inertial> has 2 <mass> elements; expected at most one"),
    "mass from shapes": (
        "<inertial>",
        '<inertial auto="true">',
        r":6: the inertia of link 'upper' is to be found from its shapes; write its mass and moments",
    ),
    "pose of five": (
        "0 0 1 0 0 0</pose>\n      <in",
        "0 0 1 0 0</pose>\n      <in",
        r":5: <pose> of .* says \"0 0 1 0 0\"; expected six numbers, found 5",
    ),
    "pose in an unknown frame": (
        'relative_to="upper"',
        'relative_to="uper"',
        r"arm\.sdf:12: unknown frame 'uper'\. Did you mean 'upper'",
    ),
    "poses in a circle": (
        "<pose>0 0 1 0 0 0</pose>\n      <in",
        '<pose relative_to="tip">0 0 1 0 0 0</pose>\n      <in',
        r":26: frames are placed in a circle: lower -> upper -> tip -> lower",
    ),
    "frame attached to itself": (
        'attached_to="lower"',
        'attached_to="tip"',
        r":26: frame 'tip' is attached to itself by way of others",
    ),
    "unknown rotation format": (
        "<pose>0 0 1 0 0 0</pose>\n      <in",
        '<pose rotation_format="rpy">0 0 1 0 0 0</pose>\n      <in',
        r":5: .* has rotation_format=\"rpy\"; expected euler_rpy or quat_xyzw",
    ),
    "zero quaternion": (
        "<pose>0 0 1 0 0 0</pose>\n      <in",
        '<pose rotation_format="quat_xyzw">0 0 1 0 0 0 0</pose>\n      <in',
        r":5: .* has a quaternion that is zero",
    ),
    "reserved name": ('name="base"', 'name="world"', r":3: <link name=\"world\"> has a name that SDF keeps for itself"),
    "no version": (' version="1.9"', "", r":1: <sdf> has no attribute \"version\"; it is required"),
    "odd version": ('version="1.9"', 'version="2"', r":1: <sdf> has version=\"2\"; expected 1\.4 or a later 1\.x"),
    "old version": ('version="1.9"', 'version="1.3"', r":1: SDF 1\.3 is older than 1\.4"),
    "no model": ("model", "modl", r":1: <sdf> has no <model> element; expected one$"),
    "two models": (
        "</model>",
        '</model><model name="other"/>',
        r"arm\.sdf:27: the file has 2 models, 'arm', 'other'; expected one robot",
    ),
    "no links": ("link", "lnk", r":2: model 'arm' has no <link> elements; expected at least one"),
    "an include": (
        '<link name="base"/>',
        '<include><uri>model://base</uri></include><link name="base"/>',
        r":3: <model name=\"arm\"> includes another file; gz sdf -p writes the whole model in one",
    ),
    "a placement frame": (
        'name="arm"',
        'name="arm" placement_frame="base"',
        r":2: <model name=\"arm\"> is placed by its placement_frame; only its own frame is read",
    ),
    "model in another frame": (
        '<link name="base"/>',
        '<pose relative_to="hook">0 0 0 0 0 0</pose><link name="base"/>',
        r":2: <model name=\"arm\"> stands in frame 'hook'; a robot must stand in the world",
    ),
    "unknown type": (
        'type="revolute"',
        'type="revolut"',
        r":13: <joint name=\"shoulder\">: unknown joint type 'revolut'\. Did you mean 'revolute",
    ),
    "no child": ("<child>upper</child>", "", r":13: <joint name=\"shoulder\"> has no <child> element; it is required"),
    "empty parent": (
        "<parent>base",
        "<parent>",
        r":14: <parent> of <joint name=\"shoulder\"> is empty; expected a name",
    ),
    "unknown parent": ("<parent>base", "<parent>bass", r":13: unknown frame 'bass'\. Did you mean 'base'"),
    "the world as a child": (
        "<parent>base</parent>\n      <child>upper",
        "<parent>upper</parent>\n      <child>world",
        r":13: joint 'shoulder' has the world as its child; only its parent can be",
    ),
    "zero axis": (
        "<xyz>0 1 0</xyz>\n",
        "<xyz>0 0 0</xyz>\n",
        r":16: joint 'shoulder' has axis \"0 0 0\", which is zero",
    ),
    "axis of four": ("<xyz>0 1 0</xyz>\n", "<xyz>0 1 0 0</xyz>\n", r":16: <xyz> of joint 'shoulder' .*found 4"),
    "axis in an unknown frame": (
        "<xyz>0 1 0</xyz>\n",
        '<xyz expressed_in="tpi">0 1 0</xyz>\n',
        r":16: unknown frame 'tpi'\. Did you mean 'tip'",
    ),
    "one axis of two": (
        "<axis2><xyz>1 0 0</xyz></axis2>",
        "",
        r":20: joint 'elbow' turns about two axes; it needs <axis> and <axis2>",
    ),
    "parallel axes": ("<xyz>1 0 0", "<xyz>0 2 0", r":20: joint 'elbow' has parallel axes"),
    "lower above upper": ("<lower>-1", "<lower>2", r":16: joint 'shoulder' has limits lower=2\.0, upper=1\.0"),
    "nan limit": ("<lower>-1", "<lower>nan", r":17: <lower> of joint 'shoulder' says \"nan\""),
    "negative damping": (
        "</limit>",
        "</limit><dynamics><damping>-1</damping></dynamics>",
        r":13: joint 'shoulder' has damping \(-1\.0,\); it must be zero or more",
    ),
    "odd truth": (
        '<link name="base"/>',
        '<static>perhaps</static><link name="base"/>',
        r":3: <static> of <model name=\"arm\"> says \"perhaps\"; expected true or false",
    ),
    "duplicate link": (
        '<link name="base"/>',
        '<link name="base"/><link name="base"/>',
        r":3: duplicate link name 'base': 2 links have it",
    ),
    "duplicate joint": ('name="elbow"', 'name="shoulder"', r":20: duplicate joint name 'shoulder'"),
    "two pieces": (
        '<link name="base"/>',
        '<link name="base"/><link name="stray"/>',
        r":3: no joint joins link '.*' to '.*'; expected one robot in one piece",
    ),
    "a joint of a link with itself": (
        "</joint>\n    <frame",
        '</joint>\n    <joint name="x" type="ball"><parent>tip</parent><child>lower</child></joint>\n    <frame',
        r":26: closure 'x' joins 'lower' to itself; its frames must move apart",
    ),
    "a universal loop that cannot be closed": (
        "</joint>\n    <frame",
        AGAIN,
        r":26: joint 'again' closes a loop, and its two axes are not across each other; no such loop can be closed",
    ),
    "a screw without a thread": (
        'type="revolute">',
        'type="screw"><thread_pitch>0</thread_pitch>',
        r":13: joint 'shoulder' has thread_pitch 0\.0, radians a metre; it must not be zero",
    ),
    "gearbox without reference": (
        "</joint>\n    <frame",
        '</joint>\n    <joint name="x" type="gearbox"><parent>base</parent><child>lower</child></joint>\n    <frame',
        r":26: <joint name=\"x\"> has no <gearbox_reference_body> element; it is required",
    ),
    "doctype": ("<sdf", "<!DOCTYPE sdf><sdf", r":1: the file has a DOCTYPE.*; remove it"),
}

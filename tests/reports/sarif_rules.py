"""What SARIF 2.1.0 (OASIS, with errata 01) demands of the members that gpusan writes, as rules written for these tests.

The schema itself may not be copied here. For each object that gpusan writes, its definition there was gone through member by
member: type, required members, enumerated words, least numbers, patterns and formats, whether the elements of an array must
differ, and that no object but a property bag has members of other names. What the schema leaves open and the text of the
standard does not is a rule too; sections are the standard's. Members that gpusan does not write have no rule, and so are
refused. formats_test.py breaks every rule in turn and sees it refused.

Each object is described by the members it may have; '!' marks those that it must have.
"""
import json
import re

URI = re.compile(r"^[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+$")
SEMANTIC_VERSION = re.compile(r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$")


def text(value):
    return isinstance(value, str)


def uri_reference(value):
    return isinstance(value, str) and bool(URI.match(value)) and not re.search(r"%(?![0-9A-Fa-f]{2})", value)


def uri(value):
    return uri_reference(value) and bool(re.match(r"^[A-Za-z][A-Za-z0-9+.-]*:", value))


def semantic_version(value):
    return isinstance(value, str) and bool(SEMANTIC_VERSION.match(value))


def at_least(least):
    # A boolean is an integer for Python and none for JSON.
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def boolean(value):
    return isinstance(value, bool)


def one_of(*words):
    return lambda value: isinstance(value, str) and value in words


def array(kind, unique=False):
    return ("array", kind, unique)


def members(kind):
    """An object of members of any name."""
    return ("members", kind)


positive, natural = at_least(1), at_least(0)
PROPERTIES = ("bag", {"tags": array(text, True)})  # §3.8: beside the tags anything
MESSAGE = {"text!": text}  # §3.11; §3.12 for the strings of rules
ARTIFACT_LOCATION = {"uri!": uri_reference, "uriBaseId": text}  # §3.4
REGION = {"startLine!": positive, "startColumn": positive}  # §3.30
PHYSICAL = {"artifactLocation!": ARTIFACT_LOCATION, "region": REGION}  # §3.29
LOGICAL = {"fullyQualifiedName": text, "kind": text}  # §3.33
LOCATION = {"id": natural, "physicalLocation": PHYSICAL, "logicalLocations": array(LOGICAL, True),
            "message": MESSAGE}  # §3.28
FRAME = {"location": LOCATION, "module": text}  # §3.45
STACK = {"message": MESSAGE, "frames!": array(FRAME)}  # §3.44
SUPPRESSION = {"kind!": one_of("inSource", "external"), "status": one_of("accepted", "underReview", "rejected"),
               "justification": text}  # §3.35
LEVEL = one_of("none", "note", "warning", "error")
RESULT = {"ruleId": text, "ruleIndex": natural, "kind": one_of("pass", "open", "informational", "notApplicable",
                                                               "review", "fail"),
          "level": LEVEL, "message!": MESSAGE, "locations": array(LOCATION), "relatedLocations": array(LOCATION, True),
          "stacks": array(STACK, True), "partialFingerprints": members(text),
          "baselineState": one_of("new", "unchanged", "updated", "absent"), "suppressions": array(SUPPRESSION, True),
          "occurrenceCount": positive, "properties": PROPERTIES}  # §3.27
HELP = {"text!": text, "markdown": text}  # §3.12
RULE = {"id!": text, "shortDescription": MESSAGE, "fullDescription": MESSAGE, "helpUri": uri, "help": HELP,
        "defaultConfiguration": {"level": LEVEL}, "properties": PROPERTIES}  # §3.49, §3.50
NOTIFICATION = {"level": LEVEL, "message!": MESSAGE}  # §3.58
INVOCATION = {"executionSuccessful!": boolean, "toolExecutionNotifications": array(NOTIFICATION)}  # §3.20
DRIVER = {"name!": text, "version": text, "semanticVersion": semantic_version, "rules": array(RULE, True)}  # §3.19
RUN = {"tool!": {"driver!": DRIVER}, "columnKind": one_of("utf16CodeUnits", "unicodeCodePoints"),
       "originalUriBaseIds": members(ARTIFACT_LOCATION), "results": array(RESULT), "invocations": array(INVOCATION)}  # §3.14
LOG = {"$schema": uri, "version!": one_of("2.1.0"), "runs!": array(RUN)}  # §3.13


def match(value, rule, where):
    if isinstance(rule, dict):
        assert isinstance(value, dict), f"{where} is no object"
        names = {name.rstrip("!"): inner for name, inner in rule.items()}
        for name in rule:
            assert not name.endswith("!") or name[:-1] in value, f"{where} lacks {name[:-1]}"
        for name, inner in value.items():
            assert name in names, f"{where} has {name}"
            match(inner, names[name], f"{where}.{name}")
    elif isinstance(rule, tuple) and rule[0] == "array":
        assert isinstance(value, list), f"{where} is no array"
        for index, inner in enumerate(value):
            match(inner, rule[1], f"{where}[{index}]")
        if rule[2]:
            # Equal as JSON, in whatever order the members stand.
            seen = [json.dumps(inner, sort_keys=True) for inner in value]
            assert len(seen) == len(set(seen)), f"{where} has an element twice"
    elif isinstance(rule, tuple):
        assert isinstance(value, dict), f"{where} is no object"
        for name, inner in value.items():
            if rule[0] == "members":
                match(inner, rule[1], f"{where}.{name}")
            elif name in rule[1]:
                match(inner, rule[1][name], f"{where}.{name}")
    else:
        assert rule(value), f"{where} is {value!r}"


def check(log):
    """Raises AssertionError with the place of what is wrong."""
    match(log, LOG, "log")
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        ids = [rule["id"] for rule in rules]
        assert len(ids) == len(set(ids)), "a rule twice"  # §3.19.23
        for base in run["originalUriBaseIds"].values():
            assert uri(base["uri"]) and base["uri"].endswith("/") and "uriBaseId" not in base, base  # §3.14.14
        states = [result.get("baselineState") for result in run["results"]]
        assert len({state is None for state in states}) < 2, "baselineState on some results only"  # §3.27.24
        for result in run["results"]:
            assert result["level"] == "none" or result["kind"] == "fail", result["ruleId"]  # §3.27.10
            if "ruleIndex" in result:
                assert rules[result["ruleIndex"]]["id"] == result["ruleId"], result["ruleId"]  # §3.27.6
            for location in result["locations"]:
                # GitHub shows no result without a file.
                assert "physicalLocation" in location, result["ruleId"]
            ids = [location["id"] for location in result["relatedLocations"]]
            assert len(ids) == len(set(ids)), ids  # §3.28.2
            # §3.11.6: a link with a number leads to a related location of that number.
            links = re.findall(r"(?<!\\)\[(?:[^\[\]\\]|\\.)*\]\((\d+)\)", result["message"]["text"])
            assert set(map(int, links)) <= set(ids), (links, ids)


def broken(value, rule):
    """Copies of the value, each of which breaks one rule, with what was done to it."""
    if isinstance(rule, dict) or (isinstance(rule, tuple) and rule[0] != "array"):
        names = rule if isinstance(rule, dict) else rule[1] if rule[0] == "bag" else {name: rule[1] for name in value}
        yield [], "an array for an object"
        if isinstance(rule, dict):
            yield value | {"unheardOf": 1}, "a member of another name"
        for name, inner in names.items():
            name = name.rstrip("!")
            if name + "!" in names:
                yield {key: one for key, one in value.items() if key != name}, f"without {name}"
            for worse, what in broken(value[name], inner) if name in value else ():
                yield value | {name: worse}, f"{name}: {what}"
    elif isinstance(rule, tuple):
        yield {}, "an object for an array"
        if value and rule[2]:
            yield value + value[:1], "an element twice"
        for index, one in enumerate(value[:3]):
            for worse, what in broken(one, rule[1]):
                yield value[:index] + [worse] + value[index + 1:], f"[{index}] {what}"
    else:
        yield None, "null"
        if isinstance(value, str):
            yield 5, "a number for a text"
            if not rule("no such word"):
                yield "no such word", "another word"
        elif isinstance(value, bool):
            yield 1, "a number for a boolean"
        else:
            yield "1", "a text for a number"
            yield True, "a boolean for a number"
            yield -1, "a number too small"


def written(value, rule, where=()):
    """The members of the rules that the value has, by the names that lead there."""
    if isinstance(rule, dict):
        for name, inner in rule.items():
            name = name.rstrip("!")
            if name in value:
                yield where + (name,)
                yield from written(value[name], inner, where + (name,))
    elif isinstance(rule, tuple) and rule[0] == "array":
        for one in value:
            yield from written(one, rule[1], where)


def known(rule, where=()):
    """All members of the rules."""
    if isinstance(rule, dict):
        for name, inner in rule.items():
            yield where + (name.rstrip("!"),)
            yield from known(inner, where + (name.rstrip("!"),))
    elif isinstance(rule, tuple) and rule[0] == "array":
        yield from known(rule[1], where)

"""What SARIF 2.1.0 (OASIS) demands of the members that gpusan writes, as rules written for these tests.

Each object is described by the members it may have; '!' marks those that it must have. Sections are the standard's.
"""
import re

URI = re.compile(r"^[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+$")


def text(value):
    return isinstance(value, str)


def uri(value):
    return isinstance(value, str) and bool(URI.match(value)) and not re.search(r"%(?![0-9A-Fa-f]{2})", value)


def positive(value):
    return isinstance(value, int) and value >= 1


def natural(value):
    return isinstance(value, int) and value >= 0


def boolean(value):
    return isinstance(value, bool)


def one_of(*words):
    return lambda value: value in words


def any_object(value):
    return isinstance(value, dict)


def strings(value):
    return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())


def array(kind, unique=False):
    return ("array", kind, unique)


MESSAGE = {"text!": text}  # §3.11
ARTIFACT_LOCATION = {"uri!": uri, "uriBaseId": text}  # §3.4
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
          "stacks": array(STACK, True), "partialFingerprints": strings,
          "baselineState": one_of("new", "unchanged", "updated", "absent"), "suppressions": array(SUPPRESSION, True),
          "occurrenceCount": positive, "properties": any_object}  # §3.27
RULE = {"id!": text, "shortDescription": MESSAGE, "fullDescription": MESSAGE, "help": MESSAGE,
        "defaultConfiguration": {"level": LEVEL}, "properties": any_object}  # §3.49
NOTIFICATION = {"level": LEVEL, "message!": MESSAGE}  # §3.58
INVOCATION = {"executionSuccessful!": boolean, "toolExecutionNotifications": array(NOTIFICATION)}  # §3.20
DRIVER = {"name!": text, "version": text, "semanticVersion": text, "rules": array(RULE, True)}  # §3.19
RUN = {"tool!": {"driver!": DRIVER}, "columnKind": one_of("utf16CodeUnits", "unicodeCodePoints"),
       "originalUriBaseIds": any_object, "results": array(RESULT), "invocations": array(INVOCATION)}  # §3.14
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
    elif isinstance(rule, tuple):
        assert isinstance(value, list), f"{where} is no array"
        for index, inner in enumerate(value):
            match(inner, rule[1], f"{where}[{index}]")
        if rule[2]:
            seen = [repr(inner) for inner in value]
            assert len(seen) == len(set(seen)), f"{where} has an element twice"
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
            assert uri(base["uri"]) and base["uri"].endswith("/"), base  # §3.14.14
        states = [result.get("baselineState") for result in run["results"]]
        assert len({state is None for state in states}) < 2, "baselineState on some results only"  # §3.27.24
        for result in run["results"]:
            if "ruleIndex" in result:
                assert rules[result["ruleIndex"]]["id"] == result["ruleId"], result["ruleId"]  # §3.27.6
            for location in result["locations"]:
                # GitHub shows no result without a file.
                assert "physicalLocation" in location, result["ruleId"]
            ids = [location["id"] for location in result["relatedLocations"]]
            assert len(ids) == len(set(ids)), ids  # §3.28.2

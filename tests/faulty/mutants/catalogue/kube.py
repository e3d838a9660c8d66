"""Mutants of `dra_conform.kube`."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

MUTANTS: Table = {
    "kube.merge_patch": {
        "merge_patch": (("oversights", "patches: null is let be", "{_: _ for _, _ in _1.items() if _ not in _}", "_1"),),
    },
    "kube.switches.features": {
        "BINDING": (("places", "binding conditions need the other gate only", "gate(_0, ...)", ""),),
    },
    "kube.node_selectors": {
        "is_available_on_node": (("places", "the name of the node does not count", "_ == _", "True"), ("places", "all nodes means none", "if _.all_nodes: ...", ""), ("places", "node selectors do not count", "_1 and _", "_1")),
        "node_matches": (("places", "all terms of a node selector must match", "any", "all"),),
        "_term_matches: term node labels fields expressions_match item fields_match": (
            ("places", "an empty term matches every node", "if _: ...", ""),
            ("places", "expressions of a term do not count", "return (_0 := _ and _1)", "_1"),
            ("places", "the first expression of a term counts", "all(_ for _ in _0)", "_0[:1]", 1),
            ("places", "one expression of a term is enough", "all(_matches(_2, _3) for _ in _1)", "not _1 or any(_matches(_2, _3) for _2 in _1)", 1),
            ("places", "fields of a term do not count", "return (_0 := _1 and _)", "_1"),
            ("places", "fields are labels", "_0.get", "labels", 2),
            ("texts", "label keys have no domain", "_ = all(_matches(_, _1.get(...)) for _ in _.match_expressions)", "_1 = _1 | {key.rpartition('/')[2]: value for key, value in _1.items()}; _0"),
            ("texts", "& label keys have no domain", "_.key", "_0.rpartition('/')[2]", 1)),
        "_matches: requirement value operator bound": (
            ("places", "In has one value", "_ in _0", "_0[:1]"),
            ("places", "In is for texts within", "_1 in _2", "any(_1 in one for one in _2)"),
            ("places", "In has no case", "_1 in _2", "_1.lower() in [one.lower() for one in _2]"),
            ("places", "NotIn has one value", "_ is None or _ not in _0", "_0[:1]"),
            ("places", "NotIn needs the label", "_1 is None or _2", "_1 is not None and _2", 1),
            ("places", "Exists is always true", "_ is not None", "True", 2),
            ("places", "Exists needs a value", "return (_0 := _1 is not _)", "bool(_1)"),
            ("places", "DoesNotExist is never true", "_ is None", "False", 2),
            ("places", "Gt is at least", "int(_) > _", ">="),
            ("places", "Lt is at most", "int(_) < _", "<="),
            ("places", "Gt compares texts", "int(_1) > _", "_1 > requirement.values[0]"),
            ("places", "Lt compares texts", "int(_1) < _", "_1 < requirement.values[0]"),
            ("places", "a label that is no number is 0", "return False", "value = '0'"),
            ("texts", "labels are compared in 16 characters", "_1 in _2", "_1[:16] in [one[:16] for one in _2]"),
            ("texts", "In compares whole numbers", "_1 in _2", "(_1.lstrip('0') or '0') in [one.lstrip('0') or '0' for one in _2]")),
    },
    "kube.quantity": {
        "_DECIMAL": (("amounts", "n is u", "{'n': -_0, **_}", "6"), ("amounts", "u is n", "{'u': -_0, **_}", "9"), ("amounts", "m is M", "-3", "6")),
        "_scaled: text digits places suffix exponent form written shift": (
            ("amounts", "k is Ki", "_, _ = _DECIMAL[_1], _2", "if _1 == 'k': return digits * 1024 * NANO, 10 ** places, _2\n_0"),
            ("amounts", "M is Mi", "_, _ = _DECIMAL[_1], _2", "if _1 == 'M': return digits * 1024 ** 2 * NANO, 10 ** places, _2\n_0"),
            ("amounts", "G is Gi", "_, _ = _DECIMAL[_1], _2", "if _1 == 'G': return digits * 1024 ** 3 * NANO, 10 ** places, _2\n_0"),
            ("amounts", "T is Ti", "_, _ = _DECIMAL[_1], _2", "if _1 == 'T': return digits * 1024 ** 4 * NANO, 10 ** places, _2\n_0"),
            ("amounts", "Ki is k", "_1 << _2", "_1 * 1000 ** (_2 // 10)"),
            ("amounts", "binary fractions are cut off", "(_1 << _3) * NANO, _2, _4", "(_1 // _2 << _3) * NANO, 1, _4"),
            ("amounts", "decimal fractions are cut off", "_ = _ - _1 + 9", "digits, _1 = digits // 10 ** _1, 0; _0"),
            ("amounts", "a decimal exponent is cut at 9", "int(...)", "min(_0, 9)"),
            ("amounts", "a decimal exponent has no sign", "int(...)", "abs(_0)"),
            ("amounts", "a decimal exponent is one of two", "_ = int(_1[_]), ...", "return digits * 2 ** int(_1[1]) * NANO, 10 ** places, Format.DECIMAL_EXPONENT; _0")),
        "_EXPONENT": (("amounts", "E3 is exa", "re.compile(_0)", "'e([+-]?[0-9]+)'"),),
        "_parse": (
            ("amounts", "finer than nano is cut off", "-(-_1 // _2)", "_1 // _2"),
            ("amounts", "amounts end at 64 bits of thousandths", "-(_ // _)", "min(_0, (2 ** 63 - 1) * 10 ** 6)"),
            ("amounts", "decimal amounts end at 64 bits", "-(_ // _)", "min(_0, MAX_BINARY)"),
            ("amounts", "amounts are floats", "-(_ // _)", "int(float(_0))"),
            ("amounts", "a leading point is not read", "(_0 := _1 + _) or '0'", "_1 and _0")),
    },
    "kube.versions": {
        "from_v1": (("admission", "conversion: answers are v1", "{'apiVersion': _0, **_}", "V1"), ("admission", "conversion: answers in v1beta1 have the shape of v1", "if _: ...", "")),
        "_EXACT_FIELDS": (
            ("admission", "conversion: capacity requests of v1beta1 are lost", "'capacity'", ""),
            ("admission", "conversion: tolerations of v1beta1 are lost", "'tolerations'", ""),
            ("admission", "conversion: admin access of v1beta1 is lost", "'adminAccess'", ""),
            ("admission", "conversion: selectors of v1beta1 are lost", "'selectors'", ""),
            ("admission", "conversion: counts of v1beta1 are lost", "'count'", "")),
        "_reshaped": (("admission", "conversion: requests of templates stay flat", "'ResourceClaimTemplate'", "'None'"),),
        "_device": (("admission", "conversion: devices are not unwrapped", "{**_1, **_['basic']}", "_1"),),
        "_device: device rest name value": (("admission", "conversion: bindsToNode of v1beta1 is lost", "{**rest, **device['basic']}", "{**rest, **{name: value for name, value in device['basic'].items() if name != 'bindsToNode'}}"),),
    },
}  # fmt: skip

"""Mutants of how the simulated API server treats every object: decoding, dropping, defaults, conversion."""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_DROPPING = (
    Mutant("dropping: the stored object does not count", ("and not (old is not None and _in_use(field.gates, used, old))", "and True")),
    Mutant("dropping: an update drops nothing", ("and not (old is not None and _in_use(field.gates, used, old))", "and old is None")),
    Mutant("dropping: one gate of several is enough", ("if not profile.on.issuperset(field.gates) and", "if profile.on.isdisjoint(field.gates) and")),
    Mutant("dropping: nothing", ("            tree.update(_without(tree, _steps(field.path)))", "            pass")),
    Mutant("dropping: the first place only", ("        return [_without(item, rest) for item in value]", "        return [_without(value[0], rest), *value[1:]] if value else value")),
    Mutant("dropping: an empty list is in use", ("    return bool(value)\n\n\n@dataclass", "    return value is not None\n\n\n@dataclass")),
    Mutant("dropping: false is not in use", ("    return value is not None\n\n\ndef is_filled", "    return bool(value)\n\n\ndef is_filled")),
    Mutant("dropping: any feature in use keeps all", (" for field in used if field.gates == gates)", " for field in used)")),
)  # fmt: skip

_STATUS = (
    Mutant("status: a new object keeps its status", ('    tree.pop("status", None)\n    if old', "    if old")),
    Mutant("status: an update writes it", ("a new object has no status.\"\"\"\n    tree.pop(\"status\", None)\n    if old is not None and \"status\" in old:\n        tree[\"status\"] = old[\"status\"]", 'a new object has none."""')),
    Mutant("status: a write to it writes the spec", ('        tree["spec"] = old["spec"]', "        pass")),
    Mutant("status: it writes labels", ("            metadata[name] = old[name]\n        elif status:", "            pass\n        elif status:")),
    Mutant("status: device entries stay without their gate", ("    if review.strictness.device_status_cleared and not", "    if False and not")),
)  # fmt: skip

_DECODING = (
    Mutant("decoding: unknown fields are refused", ("                unknown.append(prefix + name)", '                raise Undecodable(prefix + name, "unknown field")')),
    Mutant("decoding: unknown fields are kept", ("                unknown.append(prefix + name)", "                decoded[name] = item")),
    Mutant("decoding: unknown fields without a word", ("                unknown.append(prefix + name)", "                pass")),
    Mutant("decoding: a text for a number", ("    if isinstance(value, bool) or not isinstance(value, int) or not", '    if isinstance(value, str) and value.isdigit():\n        value = int(value)\n    if isinstance(value, bool) or not isinstance(value, int) or not')),
    Mutant("decoding: amounts as they are written", ("    if isinstance(value, Quantity):\n        return str(value)", "    if isinstance(value, Quantity):\n        return str(value.value())")),
    Mutant("decoding: amounts rounded up", ("        quantity = Quantity.parse(text)\n", "        quantity = Quantity.whole(Quantity.parse(text).value())\n")),
)  # fmt: skip

_RULES = (
    Mutant("rules: the first error ends it", ("        for name, rule, always in rules:\n            item = value.get(name)", "        for name, rule, always in rules:\n            if errors:\n                return\n            item = value.get(name)")),
    Mutant("rules: the first item only", ("        for index, item in enumerate(value):\n            rule(item, before", "        for index, item in enumerate(value[:1]):\n            rule(item, before")),
    Mutant("rules: repetitions everywhere", ("        if key in seen:\n", "        if False:\n")),
    Mutant("rules: empty is there", ('        if value in ("", *_NONE):', "        if value is None:")),
    Mutant("rules: keys of maps are not looked at", ("            key(name, None, path if keys_at_map else place, errors)\n", "")),
    Mutant("rules: values of maps are not looked at", ("            rule(item, None if old is None else old.get(name), place, errors)", "            pass")),
    Mutant("rules: what is stored is judged again", ("        if old is None or not same(value, old):\n            rule(value, old, path, errors)", "        rule(value, old, path, errors)")),
    Mutant("rules: what is stored is never judged", ("        if old is None or not same(value, old):\n            rule(value, old, path, errors)", "        if old is None:\n            rule(value, old, path, errors)")),
    Mutant("rules: a list in another order is the same", ("        return len(value) == len(old) and all(map(same, value, old))", "        return len(value) == len(old)")),
)  # fmt: skip

_METADATA = (
    Mutant("metadata: any name", ("        for message in (path_segment if stored else named)(metadata[\"name\"]):", "        for message in ():")),
    Mutant("metadata: no name", ('    elif not prefix:\n        errors.required("metadata.name"', '    elif False:\n        errors.required("metadata.name"')),
    Mutant("metadata: another UID", ('    return "uid" in metadata and "uid" in old and metadata["uid"] != old["uid"]', "    return False")),
    Mutant("metadata: any label", ('    validate_labels(metadata.get("labels", {}), "metadata.labels", errors)\n', "")),
)  # fmt: skip

_CONVERSION = (
    Mutant("conversion: answers are v1", ("    converted = {**v1, \"apiVersion\": api_version}", "    converted = {**v1, \"apiVersion\": V1}")),
    Mutant("conversion: answers in v1beta1 have the shape of v1", ('    if api_version == f"{GROUP}/v1beta1":\n        return _reshaped(converted, _wrapped_device, _flat_request)\n', "")),
    Mutant("conversion: capacity requests of v1beta1 are lost", ('    "tolerations",\n    "capacity",\n', '    "tolerations",\n')),
    Mutant("conversion: tolerations of v1beta1 are lost", ('    "tolerations",\n    "capacity",\n', '    "capacity",\n')),
    Mutant("conversion: admin access of v1beta1 is lost", ('    "adminAccess",\n', "")),
    Mutant("conversion: selectors of v1beta1 are lost", ('    "selectors",\n', "")),
    Mutant("conversion: counts of v1beta1 are lost", ('    "count",\n', "")),
    Mutant("conversion: requests of templates stay flat", ('        case "ResourceClaimTemplate" if isinstance', '        case "None" if isinstance')),
    Mutant("conversion: devices are not unwrapped", ('    return {**rest, **device["basic"]}', "    return rest")),
)  # fmt: skip

STRATEGIES = (*_DROPPING, *_STATUS, *_DECODING, *_RULES, *_METADATA, *_CONVERSION)

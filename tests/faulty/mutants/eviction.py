"""More changes of eviction, of what kubelets admit and prepare, and of the wait for devices.

They are part of `make mutants-of-scheduling`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_NEAR = ("eviction", "taint-rule", "toleration", "pre-scheduled", "kubelet", "binding", "claim-lifetime")


def _mutant(name: str, *changes: tuple[str, str]) -> Mutant:
    return Mutant(name, *changes, near=_NEAR)


_EVICTION = (
    _mutant("eviction: counted from now", ("        added = time_of(taint.time_added) if taint.time_added else START\n", "        added = time_of(taint.time_added) if not taint.time_added else START\n")),
    _mutant("eviction: marked and not deleted", ("            self._client.delete(key_in(pod))\n        except WriteFailed:\n            return  # The next round", "            pass\n        except WriteFailed:\n            return  # The next round")),
    _mutant("eviction: the condition is false", ("        \"type\": \"DisruptionTarget\",\n        \"status\": \"True\",", "        \"type\": \"DisruptionTarget\",\n        \"status\": \"False\",")),
    _mutant("eviction: the condition has another reason", ("\"reason\": \"DeletionByDeviceTaintManager\"", "\"reason\": \"Deletion\"")),
    _mutant("eviction: what waits is forgotten", ("                self._waiting.add(uid)\n", "                pass\n")),
    _mutant("eviction: devices by name only", ("for taint in taints.of((result.driver, result.pool, result.device))\n        for time", "for key, several in taints.published.items()\n        if key[2] == result.device\n        for taint in several\n        for time")),
)  # fmt: skip

_KUBELET = (
    _mutant("kubelet: admits whatever comes", ("        if not insufficient:\n            others.append(pod)", "        if True:\n            others.append(pod)")),
    _mutant("kubelet: pods that run take nothing", ("            counted[name] = [other for _, other in _readable(admitted.get(name, ()))]\n", "            counted[name] = []\n")),
    _mutant("kubelet: pods admitted before take nothing", ("        if not insufficient:\n            others.append(pod)\n", "        if not insufficient:\n            pass\n")),
    _mutant("kubelet: what DRA serves is the node's", ("demand.items() if name not in backed}", "demand.items()}")),
    _mutant("kubelet: prepares the first driver only", ("        for driver in dict.fromkeys(result[\"driver\"] for result in results):\n", "        for driver in list(dict.fromkeys(result[\"driver\"] for result in results))[:1]:\n")),
    _mutant("kubelet: forgets special claims", ("        return [*keys, *([extended] if extended else [])]\n", "        return keys\n")),
    _mutant("kubelet: prepares special claims without the gate", ("extended_resource_claim_key(pod) if self._client.profile.enabled(\"DRAExtendedResource\") else None", "extended_resource_claim_key(pod)")),
)  # fmt: skip

_DEVICES = (
    _mutant("devices: waited for 599 seconds", ("TIMEOUT = timedelta(seconds=600)", "TIMEOUT = timedelta(seconds=599)")),
    _mutant("devices: waited for 601 seconds", ("TIMEOUT = timedelta(seconds=600)", "TIMEOUT = timedelta(seconds=601)")),
    _mutant("devices: a condition that is false is true", ("                if condition[\"status\"] == \"True\":\n", "                if True:\n")),
    _mutant("devices: what failed stays allocated", ("                    self._failed.add(claim[\"metadata\"][\"name\"])\n", "                    pass\n")),
    _mutant("devices: reports of all devices count", ("        if all(device.get(name) == result.get(name) for name in identity):\n", "        if True:\n")),
    _mutant("devices: reports of all shares count", ("    shares_apart: bool = switch(\"kep\")", "    shares_apart: bool = switch(\"in 1.33\")")),
    _mutant("devices: releases tell shares apart", ("    shares_apart: bool = switch(\"kep\")", "    shares_apart: bool = switch(\"kep\", \"since 1.33\")")),
    _mutant("devices: a failure ends the attempt as a refusal", ("Code.ERROR, \"device binding failed\", retryable=True)", "Code.UNSCHEDULABLE, \"device binding failed\", retryable=True)")),
    _mutant("devices: what is deallocated meanwhile is ready", ("    if allocation is None:\n        return Readiness.WAITING\n", "    if allocation is None:\n        return Readiness.READY\n")),
    _mutant("devices: releases see every device", ("    every_device_seen: bool = switch(\"kep\")", "    every_device_seen: bool = switch(\"kep\", \"since 1.33\")")),
    _mutant("devices: only the first one is seen", ("    every_device_seen: bool = switch(\"kep\")", "    every_device_seen: bool = switch(\"in 1.33\")")),
    _mutant("devices: those of the first claim are waited for", ("readiness_of_all(self._current(claims), ", "readiness_of_all(self._current(claims[:1]), ")),
    _mutant("devices: no time is written down", ("        return {**allocation, \"allocationTimestamp\": clock.text}\n", "        return allocation\n")),
)  # fmt: skip

MUTANTS = (*_EVICTION, *_KUBELET, *_DEVICES)

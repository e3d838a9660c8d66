@profile:kep @profile:since-1.37
Feature: Incompatible devices are refused before anything is written
  "pod-b's vgpu request is rejected at scheduling": the combination is excluded while nodes are filtered, so no claim
  is allocated and no driver is called for it.

  Background:
    Given the counter set
      | set            | counter multiprocessors |
      | gpu-0-counters | 100                     |
    And the devices
      | device | attribute type | counters gpu-0-counters | groups gpu-0-counters |
      | mig-0  | string mig     | multiprocessors 20      | mig                   |
      | mig-1  | string mig     | multiprocessors 20      | mig                   |
      | vgpu-0 | string vgpu    | multiprocessors 50      | vgpu                  |
    And a claim "pod-a-gpu" with the request
      | selector                                           |
      | device.attributes["dra.example.com"].type == "mig" |
    And a claim "pod-b-gpu" with the request
      | selector                                            |
      | device.attributes["dra.example.com"].type == "vgpu" |
    And a pod "pod-a" that uses claim "pod-a-gpu"

  @case:a-vgpu-device-is-refused-while-a-mig-device-of-its
  @KEP-5963/composition/rejected-at-scheduling-not-at-prepare
  Scenario: A vgpu device is refused while a mig device of its counter set is allocated, and nothing is prepared
    When the cluster settles
    Then pod "pod-a" runs
    And claim "pod-a-gpu" is prepared on node "node-1"
    When a pod "pod-b" that uses claim "pod-b-gpu" is created
    And the cluster settles
    Then pod "pod-b" is pending
    And claim "pod-b-gpu" is not allocated
    And claim "pod-b-gpu" is reserved for nobody
    And claim "pod-b-gpu" is prepared on no node
    And claim "pod-a-gpu" keeps its allocation
    When pod "pod-a" finishes
    And the cluster settles
    Then pod "pod-b" runs
    And claim "pod-b-gpu" is prepared on node "node-1"

@profile:kep @profile:since-1.37
Feature: Compatibility groups of allocations in flight
  A device that is reserved for a pod limits the groups on its counter sets before its allocation is written.

  Background:
    Given the counter sets
      | counterSet     | counter multiprocessors |
      | gpu-0-counters | 100                     |
      | gpu-1-counters | 100                     |
    And the devices
      | device | attribute type | consumesCounters gpu-0-counters | compatibilityGroups gpu-0-counters | consumesCounters gpu-1-counters | compatibilityGroups gpu-1-counters |
      | mig-0  | string mig     | multiprocessors 20              | mig                                |                                 |                                    |
      | mig-1  | string other   | multiprocessors 20              | mig                                |                                 |                                    |
      | both-0 | string both    | multiprocessors 20              | mig, vgpu                          |                                 |                                    |
      | vgpu-0 | string vgpu    | multiprocessors 20              | vgpu                               |                                 |                                    |
      | none-0 | string none    | multiprocessors 20              |                                    |                                 |                                    |
      | far-0  | string far     |                                 |                                    | multiprocessors 20              | vgpu                               |
    And a pod "p" that uses ResourceClaim "a"
    And a pod "q" that uses ResourceClaim "b"
    And a pod "r" that uses ResourceClaim "c"

  @case:group-in-flight
  @KEP-5963/composition/other-pod
  Scenario Outline: Groups of a device in flight decide which device the next pod is allocated
    Given a ResourceClaim "a" with the request
      | selector                                               |
      | device.attributes["dra.example.com"].type == "<first>" |
    And a ResourceClaim "b" with the request
      | selector                                                |
      | device.attributes["dra.example.com"].type == "<second>" |
    When scheduling of pod "p" up to Reserve is attempted
    Then after Reserve only ResourceClaim "a" is in flight
    When scheduling of pod "q" up to Reserve is attempted
    Then <what>

    Examples:
      | first | second | what                                                   |
      | mig   | other  | after Reserve only ResourceClaims "a, b" are in flight |
      | mig   | both   | after Reserve only ResourceClaims "a, b" are in flight |
      | mig   | far    | after Reserve only ResourceClaims "a, b" are in flight |
      | mig   | vgpu   | Reserve is not reached                                 |
      | mig   | none   | Reserve is not reached                                 |
      | none  | mig    | Reserve is not reached                                 |

  @case:common-group-in-flight
  @KEP-5963/composition/other-pod
  Scenario Outline: Two devices in flight leave only their common group to the third pod
    Given a ResourceClaim "a" with the request
      | selector                                            |
      | device.attributes["dra.example.com"].type == "both" |
    And a ResourceClaim "b" with the request
      | selector                                                |
      | device.attributes["dra.example.com"].type == "<second>" |
    And a ResourceClaim "c" with the request
      | selector                                               |
      | device.attributes["dra.example.com"].type == "<third>" |
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    Then after Reserve only ResourceClaims "a, b" are in flight
    When scheduling of pod "r" up to Reserve is attempted
    Then <what>

    Examples:
      | second | third | what                                                      |
      | mig    | other | after Reserve only ResourceClaims "a, b, c" are in flight |
      | mig    | vgpu  | Reserve is not reached                                    |
      | vgpu   | mig   | Reserve is not reached                                    |

  @case:written-and-in-flight
  @KEP-5963/composition/other-pod
  Scenario: A written allocation and an allocation in flight leave only their common group
    Given a ResourceClaim "a" with the request
      | selector                                            |
      | device.attributes["dra.example.com"].type == "both" |
    And a ResourceClaim "b" with the request
      | selector                                           |
      | device.attributes["dra.example.com"].type == "mig" |
    And a ResourceClaim "c" with the request
      | selector                                            |
      | device.attributes["dra.example.com"].type == "vgpu" |
    When scheduling of pod "p" is attempted
    Then Bind returns Success
    When scheduling of pod "q" up to Reserve is attempted
    Then after Reserve only ResourceClaim "b" is in flight
    When scheduling of pod "r" up to Reserve is attempted
    Then Reserve is not reached

  @case:groups-of-aborted-attempt
  @KEP-5963/lifecycle/scheme-changes-only-after-full-release
  Scenario: A device of another group is allocated once the first pod's scheduling is aborted
    Given a ResourceClaim "a" with the request
      | selector                                           |
      | device.attributes["dra.example.com"].type == "mig" |
    And a ResourceClaim "b" with the request
      | selector                                            |
      | device.attributes["dra.example.com"].type == "vgpu" |
    When scheduling of pod "p" up to Reserve is attempted
    And the scheduling attempt of pod "p" is aborted
    And scheduling of pod "q" is attempted
    Then after PreBind ResourceClaim "b" is allocated exactly "vgpu-0"

  @case:slice-changed-while-in-flight
  @KEP-5963/snapshot/recorded-at-allocation @KEP-5963/snapshot/authoritative-over-changed-slice
  Scenario: A change of the ResourceSlice does not change the groups of a device in flight
    Given a ResourceClaim "a" with the request
      | selector                                           |
      | device.attributes["dra.example.com"].type == "mig" |
    And a ResourceClaim "b" with the request
      | selector                                            |
      | device.attributes["dra.example.com"].type == "vgpu" |
    When scheduling of pod "p" up to Reserve is attempted
    And another client updates ResourceSlice "pool-1-slice" with
      | field                                                     | value  |
      | spec.devices[0].consumesCounters[0].compatibilityGroups[0] | vgpu   |
    And scheduling of pod "q" up to Reserve is attempted
    Then Reserve is not reached
    But since Kubernetes 1.37, because these releases read the groups of allocated devices from their ResourceSlices: after Reserve only ResourceClaims "a, b" are in flight

@profile:kep @profile:since-1.34
Feature: Devices and counters of allocations in flight
  Between Reserve and the write of the allocation, only the scheduler knows which devices a ResourceClaim is
  allocated. These devices count for the next pods as if the allocation were written.

  Background:
    Given a pod "p" that uses ResourceClaim "a"
    And a pod "q" that uses ResourceClaim "b"
    And a pod "r" that uses ResourceClaim "c"

  @case:counter-in-flight
  @DRA/partitionable/allocatable-iff-enough-left
  Scenario Outline: A partition consumes its counter from Reserve on, before the allocation is written
    Given the counter set
      | counterSet | counter memory |
      | gpu-0      | 8Gi            |
    And the devices
      | device | attribute size | consumesCounters gpu-0 |
      | part-0 | string big     | memory 6Gi             |
      | part-1 | string other   | memory <memory>        |
    And a ResourceClaim "a" with the request
      | selector                                           |
      | device.attributes["dra.example.com"].size == "big" |
    And a ResourceClaim "b" requesting 1 device
    When scheduling of pod "p" up to Reserve is attempted
    Then after Reserve only ResourceClaim "a" is in flight
    When scheduling of pod "q" up to Reserve is attempted
    Then <what>
    But in Kubernetes 1.34, because this release ignores counters in another ResourceSlice than the device: after Reserve only ResourceClaims "a, b" are in flight

    Examples:
      | memory | what                                                   |
      | 2Gi    | after Reserve only ResourceClaims "a, b" are in flight |
      | 2049Mi | Reserve is not reached                                 |

  @case:counters-in-flight-add-up
  @DRA/partitionable/allocatable-iff-enough-left
  Scenario: A fourth partition is not allocated if three, two of them in flight, use up the counter
    Given the counter set
      | counterSet | counter memory |
      | gpu-0      | 8Gi            |
    And the devices
      | device | consumesCounters gpu-0 |
      | part-0 | memory 2Gi             |
      | part-1 | memory 2Gi             |
      | part-2 | memory 2Gi             |
      | part-3 | memory 3Gi             |
    And ResourceClaim "stored" is already allocated
      | device |
      | part-0 |
    And a ResourceClaim "a" requesting 1 device
    And a ResourceClaim "b" requesting 1 device
    And a ResourceClaim "c" requesting 1 device
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    And scheduling of pod "r" up to Reserve is attempted
    Then Reserve is not reached
    But in Kubernetes 1.34, because this release ignores counters in another ResourceSlice than the device: after Reserve only ResourceClaims "a, b, c" are in flight

  @case:same-name-other-namespace
  @DRA/workflow/filter-criteria
  Scenario Outline: ResourceClaims in flight with the same name in two namespaces are different ResourceClaims
    Given the devices
      | device | attribute size |
      | gpu-0  | string big     |
      | gpu-1  | string small   |
    And a ResourceClaim "a" with the request
      | selector                                           |
      | device.attributes["dra.example.com"].size == "big" |
    And a ResourceClaim "ns-b/a" with the request
      | selector                                              |
      | device.attributes["dra.example.com"].size == "<size>" |
    And a pod "ns-b/p" that uses ResourceClaim "a"
    When scheduling of pod "p" up to Reserve is attempted
    Then after Reserve only ResourceClaim "a" is in flight
    When scheduling of pod "ns-b/p" up to Reserve is attempted
    Then <what>

    Examples:
      | size  | what                                                      |
      | small | after Reserve only ResourceClaims "a, ns-b/a" are in flight |
      | big   | Reserve is not reached                                    |

  @case:aborted-in-other-namespace
  @DRA/workflow/filter-criteria
  Scenario: A device stays in flight if the attempt for a claim in another namespace is aborted
    Given the devices
      | device |
      | gpu-0  |
      | gpu-1  |
    And a ResourceClaim "a" requesting 1 device
    And a ResourceClaim "ns-b/a" requesting 1 device
    And a ResourceClaim "b" requesting 2 devices
    And a pod "ns-b/p" that uses ResourceClaim "a"
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "ns-b/p" up to Reserve is attempted
    And the scheduling attempt of pod "ns-b/p" is aborted
    Then after Unreserve only ResourceClaim "a" is in flight
    When scheduling of pod "q" is attempted
    Then Reserve is not reached

  @case:counter-of-aborted-attempt
  @DRA/partitionable/released-counters-return
  Scenario: The counter of a partition in flight is available again after the attempt is aborted
    Given the counter set
      | counterSet | counter memory |
      | gpu-0      | 8Gi            |
    And the devices
      | device | attribute size | consumesCounters gpu-0 |
      | part-0 | string big     | memory 6Gi             |
      | part-1 | string other   | memory 5Gi             |
    And a ResourceClaim "a" with the request
      | selector                                           |
      | device.attributes["dra.example.com"].size == "big" |
    And a ResourceClaim "b" with the request
      | selector                                             |
      | device.attributes["dra.example.com"].size == "other" |
    When scheduling of pod "p" up to Reserve is attempted
    And the scheduling attempt of pod "p" is aborted
    And scheduling of pod "q" is attempted
    Then after PreBind ResourceClaim "b" is allocated exactly "part-1"

  @case:admin-access-in-flight
  @DRA/admin-access/does-not-consume
  Scenario: A device in flight with adminAccess is available to another pod
    Given the objects
      """
      apiVersion: v1
      kind: Namespace
      metadata:
        name: default
        labels: {resource.k8s.io/admin-access: "true", resource.kubernetes.io/admin-access: "true"}
      """
    And the device
      | device |
      | gpu-0  |
    And a ResourceClaim "a" with the request
      | adminAccess |
      | yes         |
    And a ResourceClaim "b" requesting 1 device
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    Then after Reserve only ResourceClaims "a, b" are in flight

  @case:admin-access-to-device-in-flight
  @DRA/admin-access/reaches-devices-in-use
  Scenario: A request with adminAccess is allocated a device in flight
    Given the objects
      """
      apiVersion: v1
      kind: Namespace
      metadata:
        name: default
        labels: {resource.k8s.io/admin-access: "true", resource.kubernetes.io/admin-access: "true"}
      """
    And the device
      | device |
      | gpu-0  |
    And a ResourceClaim "a" requesting 1 device
    And a ResourceClaim "b" with the request
      | adminAccess |
      | yes         |
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    Then after Reserve only ResourceClaims "a, b" are in flight

  @case:same-name-in-flight
  @DRA/pool/identity-by-driver-and-name
  Scenario: A device in flight leaves devices of the same name in other pools and drivers available
    Given the devices
      | driver    | pool   | device |
      | a.example | pool-1 | gpu-0  |
      | b.example | pool-1 | gpu-0  |
      | a.example | pool-2 | gpu-0  |
    And a ResourceClaim "a" requesting 1 device
    And a ResourceClaim "b" requesting 1 device
    And a ResourceClaim "c" requesting 1 device
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    And scheduling of pod "r" up to Reserve is attempted
    Then after Reserve only ResourceClaims "a, b, c" are in flight

  @case:two-devices-in-flight
  @DRA/claim/exclusive-between-claims
  Scenario Outline: All devices of a ResourceClaim in flight are unavailable to the next pod
    Given the devices
      | device |
      | gpu-0  |
      | gpu-1  |
      | gpu-2  |
    And a ResourceClaim "a" requesting 2 devices
    And a ResourceClaim "b" requesting <count>
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    Then <what>

    Examples:
      | count     | what                                                   |
      | 1 device  | after Reserve only ResourceClaims "a, b" are in flight |
      | 2 devices | Reserve is not reached                                 |

  @case:two-claims-of-a-pod-in-flight
  @DRA/claim/exclusive-between-claims @DRA/workflow/all-claims-of-a-pod-together
  Scenario: The devices of both ResourceClaims of a pod in flight are unavailable to the next pod
    Given the devices
      | device |
      | gpu-0  |
      | gpu-1  |
    And a ResourceClaim "a" requesting 1 device
    And a ResourceClaim "d" requesting 1 device
    And a ResourceClaim "b" requesting 1 device
    And a pod "both" that uses ResourceClaims "a, d"
    When scheduling of pod "both" up to Reserve is attempted
    Then after Reserve only ResourceClaims "a, d" are in flight
    When scheduling of pod "q" up to Reserve is attempted
    Then Reserve is not reached

  @case:two-claims-of-a-pod-written
  @DRA/workflow/all-claims-of-a-pod-together
  Scenario: No ResourceClaim of a pod stays in flight after the allocations of both are stored
    Given the devices
      | device |
      | gpu-0  |
      | gpu-1  |
    And a ResourceClaim "a" requesting 1 device
    And a ResourceClaim "d" requesting 1 device
    And a pod "both" that uses ResourceClaims "a, d"
    When scheduling of pod "both" is attempted
    Then Bind returns Success
    And after Bind no ResourceClaim is in flight

  @case:all-mode-needs-device-in-flight
  @DRA/allocation-mode/all-needs-every-device-free
  Scenario: A request with allocationMode All stays unallocated while one of its devices is in flight
    Given the devices
      | device |
      | gpu-0  |
      | gpu-1  |
    And a ResourceClaim "a" requesting 1 device
    And a ResourceClaim "b" requesting all devices
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    Then Reserve is not reached

  @case:subrequest-while-device-in-flight
  @DRA/prioritized-list/first-satisfiable-wins
  Scenario: A prioritized list takes its second subrequest while the device of the first is in flight
    Given the devices
      | device | attribute size |
      | gpu-0  | string big     |
      | gpu-1  | string small   |
    And a ResourceClaim "a" with the request
      | selector                                           |
      | device.attributes["dra.example.com"].size == "big" |
    And a ResourceClaim "b" with the requests
      | request | subrequest | selector                                             |
      | r0      | big        | device.attributes["dra.example.com"].size == "big"   |
      | r0      | small      | device.attributes["dra.example.com"].size == "small" |
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" is attempted
    Then after PreBind ResourceClaim "b" is allocated exactly "gpu-1"

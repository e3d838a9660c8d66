@profile:kep @profile:since-1.37
Feature: Incompatible devices are rejected at scheduling time
  The scheduler excludes an incompatible combination while it filters nodes. No ResourceClaim is allocated and no
  driver is called for the combination.

  Background:
    Given the counter set
      | counterSet     | counter multiprocessors |
      | gpu-0-counters | 100                     |
    And the devices
      | device | attribute type | consumesCounters gpu-0-counters | compatibilityGroups gpu-0-counters |
      | mig-0  | string mig     | multiprocessors 20              | mig                                |
      | mig-1  | string mig     | multiprocessors 20              | mig                                |
      | vgpu-0 | string vgpu    | multiprocessors 50              | vgpu                               |
    And a ResourceClaim "pod-a-gpu" with the request
      | selector                                           |
      | device.attributes["dra.example.com"].type == "mig" |
    And a ResourceClaim "pod-b-gpu" with the request
      | selector                                            |
      | device.attributes["dra.example.com"].type == "vgpu" |
    And a pod "pod-a" that uses ResourceClaim "pod-a-gpu"

  @case:vgpu-pending-until-mig-finishes
  @KEP-5963/composition/rejected-at-scheduling-not-at-prepare
  Scenario: A pod for a vGPU device stays Pending until the pod with the MIG device finishes
    When the cluster reaches a steady state
    Then pod "pod-a" is Running
    And ResourceClaim "pod-a-gpu" is prepared on node "node-1"
    When a pod "pod-b" that uses ResourceClaim "pod-b-gpu" is created
    And the cluster reaches a steady state
    Then pod "pod-b" is Pending
    And ResourceClaim "pod-b-gpu" is not allocated
    And ResourceClaim "pod-b-gpu" is reserved for no pod
    And ResourceClaim "pod-b-gpu" is prepared on no node
    And ResourceClaim "pod-a-gpu" keeps its allocation
    When pod "pod-a" finishes
    And the cluster reaches a steady state
    Then pod "pod-b" is Running
    And ResourceClaim "pod-b-gpu" is prepared on node "node-1"

  @case:any-device-gets-mig
  @KEP-5963/composition/rejected-at-scheduling-not-at-prepare
  Scenario: A pod that accepts any device gets a MIG device while a MIG device is in use
    Given a ResourceClaim "pod-c-gpu" requesting 1 device
    When the cluster reaches a steady state
    Then pod "pod-a" is Running
    When a pod "pod-c" that uses ResourceClaim "pod-c-gpu" is created
    And the cluster reaches a steady state
    Then pod "pod-c" is Running
    And ResourceClaim "pod-c-gpu" is allocated one of
      | choice | device |
      | 1      | mig-0  |
      | 2      | mig-1  |

  @case:mig-and-vgpu-pod-pending
  @KEP-5963/composition/rejected-at-scheduling-not-at-prepare
  Scenario: A pod that needs a MIG and a vGPU device of one GPU stays Pending without allocation
    When a pod "pod-c" that uses ResourceClaims "pod-a-gpu, pod-b-gpu" is created
    And pod "pod-a" is deleted
    And the cluster reaches a steady state
    Then pod "pod-c" is Pending
    And ResourceClaim "pod-a-gpu" is not allocated
    And ResourceClaim "pod-b-gpu" is not allocated

  @case:extended-resource-records-groups
  @KEP-5963/snapshot/recorded-at-allocation
  Scenario: An extended-resource claim records the groups of its device for the next pods
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: mig}
      spec:
        extendedResourceName: example.com/mig
        selectors: [{cel: {expression: 'device.attributes["dra.example.com"].type == "mig"'}}]
      """
    And a pod "pod-c" that requests 1 of "example.com/mig"
    When the cluster reaches a steady state
    Then pod "pod-a" is Running
    And pod "pod-c" is Running
    And ResourceClaim "extended resources of pod pod-c" has
      | field                                                                    | value |
      | status.allocation.devices.results[0].compatibilityGroups[gpu-0-counters] | [mig] |
    But since Kubernetes 1.37, because this release does not record groups in the allocation result: pod "pod-a" is Running
    But since Kubernetes 1.37, because this release does not record groups in the allocation result: pod "pod-c" is Running
    When pod "pod-a" is deleted
    And a pod "pod-b" that uses ResourceClaim "pod-b-gpu" is created
    And the cluster reaches a steady state
    Then pod "pod-b" is Pending

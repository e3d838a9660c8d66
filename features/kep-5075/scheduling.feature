@profile:kep @profile:since-1.34
Feature: Scheduling of pods that share devices
  The cases follow the user stories and the end-to-end tests of the KEP. A pod runs if enough capacity remains.
  Otherwise the pod stays Pending like any other pod that cannot be scheduled.

  Rule: Remaining and total capacity

    @case:pending-above-remaining
    @KEP-5075/capacity-accounting/remaining-not-total @KEP-5075/allocation/pod-runs-when-capacity-available
    Scenario Outline: A pod that requests more than the remaining capacity is Pending until capacity is free
      Given the device
        | device | allowMultipleAllocations | capacity bw |
        | eth1   | yes                      | 10          |
      And a ResourceClaim "a" requesting 6 of "bw"
      And a ResourceClaim "b" requesting 5 of "bw"
      And a ResourceClaim "c" requesting <amount> of "bw"
      And a pod "a" that uses ResourceClaim "a"
      When the cluster reaches a steady state
      Then pod "a" is Running
      When a pod "b" that uses ResourceClaim "b" is created
      And the cluster reaches a steady state
      Then pod "b" is Pending
      And ResourceClaim "b" is not allocated
      When a pod "c" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then pod "c" is Running
      And ResourceClaim "c" consumes <amount> of "bw"
      When pod "a" finishes
      And the cluster reaches a steady state
      Then pod "b" is Running

      Examples:
        | amount |
        | 4      |
        | 1      |

    @case:two-claims-of-one-pod
    @KEP-5075/capacity-accounting/across-claims-of-one-pod
    Scenario Outline: A pod runs only if its two ResourceClaims together fit into the capacity of the device
      Given the device
        | device | allowMultipleAllocations | capacity bw |
        | eth1   | yes                      | 10          |
      And a ResourceClaim "a" requesting 6 of "bw"
      And a ResourceClaim "b" requesting <amount> of "bw"
      And a pod "p" that uses ResourceClaims "a, b"
      When the cluster reaches a steady state
      Then pod "p" is <phase>

      Examples:
        | amount | phase   |
        | 4      | Running |
        | 5      | Pending |

    @case:extended-resource-consumes-default
    @KEP-5075/default/policy-default-used-when-absent
    Scenario: Pods with an extended resource share a device, and each consumes the default quantity
      Given a DeviceClass "nic" for extended resource "example.com/nic"
      And the device
        | device | allowMultipleAllocations | capacity bw | requestPolicy bw |
        | eth1   | yes                      | 10          | default 4        |
      And a pod "p" that requests 1 of "example.com/nic"
      And a pod "q" that requests 1 of "example.com/nic"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running
      And ResourceClaim "extended resources of pod p" consumes 4 of "bw"
      And ResourceClaim "extended resources of pod q" consumes 4 of "bw"
      When a pod "r" that requests 1 of "example.com/nic" is created
      And the cluster reaches a steady state
      Then pod "r" is Pending
      When pod "p" is deleted
      And the cluster reaches a steady state
      Then pod "r" is Running

    @case:claim-of-two-pods-counts-once
    @KEP-5075/capacity-accounting/claim-shared-by-pods-counted-once
    Scenario Outline: A ResourceClaim shared by two pods consumes its capacity once
      Given the device
        | device | allowMultipleAllocations | capacity bw |
        | eth1   | yes                      | 10          |
      And a ResourceClaim "a" requesting 6 of "bw"
      And a ResourceClaim "b" requesting <amount> of "bw"
      And a pod "p1" that uses ResourceClaim "a"
      And a pod "p2" that uses ResourceClaim "a"
      When the cluster reaches a steady state
      Then pod "p1" is Running
      And pod "p2" is Running
      And ResourceClaim "a" is reserved for pods "p1, p2"
      When a pod "q" that uses ResourceClaim "b" is created
      And the cluster reaches a steady state
      Then pod "q" is Running
      And ResourceClaim "b" consumes <amount> of "bw"

      Examples:
        | amount |
        | 4      |
        | 3      |

    @case:claim-of-two-pods-until-both-finish
    @KEP-5075/capacity-accounting/claim-shared-by-pods-counted-once @API/reservation/of-each-user
    Scenario: A ResourceClaim shared by two pods consumes its capacity until both pods finish
      Given the device
        | device | allowMultipleAllocations | capacity bw |
        | eth1   | yes                      | 10          |
      And a ResourceClaim "a" requesting 6 of "bw"
      And a ResourceClaim "b" requesting 5 of "bw"
      And a pod "p1" that uses ResourceClaim "a"
      And a pod "p2" that uses ResourceClaim "a"
      When the cluster reaches a steady state
      Then pod "p2" is Running
      When a pod "q" that uses ResourceClaim "b" is created
      And the cluster reaches a steady state
      Then pod "q" is Pending
      When pod "p1" finishes
      And the cluster reaches a steady state
      Then pod "q" is Pending
      And ResourceClaim "a" is reserved for pod "p2"
      When pod "p2" finishes
      And the cluster reaches a steady state
      Then pod "q" is Running

    @case:pod-runs-with-available-capacity
    @KEP-5075/allocation/pod-runs-when-capacity-available
    Scenario: A pod that requests available capacity runs with a shared allocation
      Given the device
        | device | allowMultipleAllocations | capacity bw | requestPolicy bw                |
        | eth1   | yes                      | 4           | default 2, min 2, max 4, step 2 |
      And a ResourceClaim "c" requesting 2 of "bw"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" is allocated exactly
        | device | shareID | consumedCapacity bw |
        | eth1   | yes     | 2                   |

    @case:pending-above-total
    @KEP-5075/allocation/exceeding-total-pod-pending
    Scenario Outline: A pod that requests more than the total capacity of each device stays Pending
      Given the devices
        | device | allowMultipleAllocations | capacity bw |
        | eth1   | yes                      | 10          |
        | eth2   | yes                      | 10          |
      And a ResourceClaim "c" requesting <amount> of "bw"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

      Examples:
        | amount |
        | 11     |
        | 10001m |
        | 20     |

    @case:pending-above-max
    @KEP-5075/allocation/policy-violation-pod-pending
    Scenario: A pod that requests more capacity than max stays Pending until the driver raises max
      Given the device
        | device | allowMultipleAllocations | capacity bw | requestPolicy bw        |
        | eth1   | yes                      | 10          | default 1, min 1, max 4 |
      And a ResourceClaim "c" requesting 5 of "bw"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated
      When the driver updates the device "eth1" with
        | field                                       | value |
        | capacity[bw].requestPolicy.validRange.max | 5     |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" consumes 5 of "bw"

  Rule: User stories 1 to 3 of KEP-5075

    @case:story-1-class-for-shared-devices
    @KEP-5075/allocation/class-for-multi-allocatable
    Scenario: Five pods share two devices through a DeviceClass for multi-allocatable devices
      Given the devices
        | device | allowMultipleAllocations | pool |
        | eth0   |                          | p0   |
        | eth1   | yes                      | p1   |
        | eth2   | yes                      | p2   |
      And a DeviceClass "shared" with the selector
        """
        device.allowMultipleAllocations == true
        """
      And a ResourceClaimTemplate "nic" requesting 1 device of class "shared"
      And a pod "p1" that uses the ResourceClaimTemplate "nic"
      And a pod "p2" that uses the ResourceClaimTemplate "nic"
      And a pod "p3" that uses the ResourceClaimTemplate "nic"
      And a pod "p4" that uses the ResourceClaimTemplate "nic"
      And a pod "p5" that uses the ResourceClaimTemplate "nic"
      When the cluster reaches a steady state
      Then pod "p1" is Running
      And pod "p2" is Running
      And pod "p3" is Running
      And pod "p4" is Running
      And pod "p5" is Running
      And ResourceClaim "nic of pod p5" is allocated one of
        | choice | device | shareID |
        | 1      | eth1   | yes     |
        | 2      | eth2   | yes     |

    @case:story-1-no-shared-device
    @KEP-5075/allocation/class-for-multi-allocatable
    Scenario: A pod stays Pending if its DeviceClass requires multi-allocatable devices and none exists
      Given the device
        | device |
        | eth0   |
      And a DeviceClass "shared" with the selector
        """
        device.allowMultipleAllocations == true
        """
      And a ResourceClaimTemplate "nic" requesting 1 device of class "shared"
      And a pod "p" that uses the ResourceClaimTemplate "nic"
      When the cluster reaches a steady state
      Then pod "p" is Pending

    @case:story-2-two-interfaces
    @KEP-5075/allocation/two-interfaces-story
    Scenario: A pod that requests two distinct interface names gets both interfaces
      Given the devices
        | device | allowMultipleAllocations | attribute interfaceName |
        | eth1   | yes                      | string eth1             |
        | eth2   | yes                      | string eth2             |
      And a ResourceClaim "c" requesting 2 devices
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/interfaceName"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" is allocated exactly
        | device | shareID |
        | eth1   | yes     |
        | eth2   | yes     |

    @case:story-2-one-interface
    @KEP-5075/allocation/two-interfaces-story
    Scenario: A pod that requests two distinct interface names stays Pending if only one exists
      Given the device
        | device | allowMultipleAllocations | attribute interfaceName |
        | eth1   | yes                      | string eth1             |
      And a ResourceClaim "c" requesting 2 devices
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/interfaceName"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

    @case:story-3-within-policy
    @KEP-5075/allocation/qos-story
    Scenario Outline: A pod consumes the requested bandwidth but at least min, or the default without a request
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth    |
        | eth1   | yes                      | 10G                | default 1G, min 1G, max 5G |
      And a ResourceClaim "c" requesting <requested>
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" consumes <consumed> of "bandwidth"

      Examples:
        | requested           | consumed |
        | 3G of "bandwidth"   | 3G       |
        | no capacity         | 1G       |
        | 5G of "bandwidth"   | 5G       |
        | 500M of "bandwidth" | 1G       |

    @case:story-3-above-max
    @KEP-5075/allocation/qos-story
    Scenario: A pod that requests more bandwidth than max stays Pending
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth    |
        | eth1   | yes                      | 10G                | default 1G, min 1G, max 5G |
      And a ResourceClaim "c" requesting 6G of "bandwidth"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

  Rule: Preparation of shared allocations by drivers

    @case:binding-condition-missing
    @KEP-5075/allocation/prebind-provisioning
    Scenario: A pod with a shared allocation is not bound while its binding condition is missing
      Given the devices
        | device | allowMultipleAllocations | capacity bw | bindingConditions | bindingFailureConditions |
        | eth1   | yes                      | 10          | provisioned       | failed                   |
      And a ResourceClaim "c" requesting 3 of "bw"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "p" has
        | field         | value |
        | spec.nodeName | null  |
      And ResourceClaim "c" is allocated exactly
        | device | shareID | consumedCapacity bw | bindingConditions | bindingFailureConditions |
        | eth1   | yes     | 3                   | provisioned       | failed                   |
      And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "c" is reserved for pod "p"

    @case:binding-condition-per-share
    @KEP-5075/allocation/prebind-provisioning
    Scenario: PreBind waits for the binding conditions of both shared allocations of a device
      Given the devices
        | device | allowMultipleAllocations | capacity bw | bindingConditions | bindingFailureConditions |
        | eth1   | yes                      | 10          | provisioned       | failed                   |
      And a ResourceClaim "c" with the requests
        | request | capacity bw |
        | a       | 3           |
        | b       | 4           |
      And a pod "p" that uses ResourceClaim "c"
      When scheduling of pod "p" is attempted
      Then PreBind returns Wait
      When another client updates ResourceClaim "c" with
        | field                                        | value                                                                                                                                                                                                                                                                                                                                              |
        | status.allocation.devices.results[0].shareID | 11111111-1111-4111-8111-111111111111 |
        | status.allocation.devices.results[1].shareID | 22222222-2222-4222-8222-222222222222 |
        | status.devices                               | [{driver: dra.example.com, pool: pool-1, device: eth1, shareID: 11111111-1111-4111-8111-111111111111, conditions: [{type: provisioned, status: "True", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}, {driver: dra.example.com, pool: pool-1, device: eth1, shareID: 22222222-2222-4222-8222-222222222222}] |
      And the binding cycle of pod "p" runs
      Then PreBind returns Wait
      But since Kubernetes 1.34, because schedulers accept a device status of any shared allocation of the device: PreBind returns Success

    @case:driver-gets-share-ids
    @KEP-5075/status/kubelet-plugin-knows-share
    Scenario: A driver gets a share ID for each of two ResourceClaims that share a device
      Given the device
        | device | allowMultipleAllocations | capacity bw |
        | eth1   | yes                      | 10          |
      And a ResourceClaim "c" requesting 3 of "bw"
      And a ResourceClaim "d" requesting 4 of "bw"
      And a pod "p" that uses ResourceClaims "c, d"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" is prepared on node "node-1" with
        | device | shareID |
        | eth1   | yes     |
      And ResourceClaim "d" is prepared on node "node-1" with
        | device | shareID |
        | eth1   | yes     |

    @case:driver-gets-both-shares
    @KEP-5075/status/kubelet-plugin-knows-share
    Scenario: A driver gets both share IDs of a ResourceClaim that is allocated one device twice
      Given the device
        | device | allowMultipleAllocations | capacity bw |
        | eth1   | yes                      | 10          |
      And a ResourceClaim "c" with the requests
        | request | capacity bw |
        | a       | 3           |
        | b       | 4           |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" is prepared on node "node-1" with
        | device | shareID |
        | eth1   | yes     |
        | eth1   | yes     |

    @case:driver-gets-no-share-id
    @KEP-5075/status/share-id-absent-for-dedicated
    Scenario: A driver gets no share ID when it prepares an exclusive device
      Given the device
        | device | capacity bw |
        | eth1   | 10          |
      And a ResourceClaim "c" requesting 3 of "bw"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" is prepared on node "node-1" with
        | device | shareID |
        | eth1   | no      |

  Rule: Allocations in flight in the scheduler

    @case:in-flight-capacity-counts
    @KEP-5075/capacity-accounting/allocated-plus-allocating
    Scenario Outline: Capacity that is in flight for one pod is not available to the next pod
      Given the device
        | device | allowMultipleAllocations | capacity bw |
        | eth1   | yes                      | 10          |
      And a ResourceClaim "a" requesting 8 of "bw"
      And a ResourceClaim "b" requesting <amount> of "bw"
      And a pod "p" that uses ResourceClaim "a"
      And a pod "q" that uses ResourceClaim "b"
      When scheduling of pod "p" up to Reserve is attempted
      Then after Reserve only ResourceClaim "a" is in flight
      When scheduling of pod "q" up to Reserve is attempted
      Then <what>

      Examples:
        | amount | what                                                   |
        | 2      | after Reserve only ResourceClaims "a, b" are in flight |
        | 3      | Reserve is not reached                                 |

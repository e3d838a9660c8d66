@profile:kep @profile:since-1.34
Feature: Scheduling of pods that share devices
  The cases follow the user stories and the end-to-end tests of the KEP. A pod runs if enough capacity remains.
  Otherwise the pod stays Pending like any other pod that cannot be scheduled.

  Rule: Remaining and total capacity

    @case:pending-above-remaining
    @KEP-5075/capacity-accounting/remaining-not-total @KEP-5075/allocation/pod-runs-when-capacity-available
    Scenario Outline: A pod that requests more than the remaining capacity is Pending until capacity is free
      Given the device
        | device | shared | capacity bw |
        | eth1   | yes    | 10          |
      And a claim "a" requesting 6 of "bw"
      And a claim "b" requesting 5 of "bw"
      And a claim "c" requesting <amount> of "bw"
      And a pod "a" that uses claim "a"
      When the cluster settles
      Then pod "a" runs
      When a pod "b" that uses claim "b" is created
      And the cluster settles
      Then pod "b" is pending
      And claim "b" is not allocated
      When a pod "c" that uses claim "c" is created
      And the cluster settles
      Then pod "c" runs
      And claim "c" consumes <amount> of "bw"
      When pod "a" finishes
      And the cluster settles
      Then pod "b" runs

      Examples:
        | amount |
        | 4      |
        | 1      |

    @case:claim-of-two-pods-counts-once
    @KEP-5075/capacity-accounting/claim-shared-by-pods-counted-once
    Scenario Outline: A ResourceClaim of two pods consumes its capacity once
      Given the device
        | device | shared | capacity bw |
        | eth1   | yes    | 10          |
      And a claim "a" requesting 6 of "bw"
      And a claim "b" requesting <amount> of "bw"
      And a pod "p1" that uses claim "a"
      And a pod "p2" that uses claim "a"
      When the cluster settles
      Then pod "p1" runs
      And pod "p2" runs
      And claim "a" is reserved for pods "p1, p2"
      When a pod "q" that uses claim "b" is created
      And the cluster settles
      Then pod "q" runs
      And claim "b" consumes <amount> of "bw"

      Examples:
        | amount |
        | 4      |
        | 3      |

    @case:claim-of-two-pods-until-both-finish
    @KEP-5075/capacity-accounting/claim-shared-by-pods-counted-once
    Scenario: A ResourceClaim of two pods consumes its capacity until both pods finish
      Given the device
        | device | shared | capacity bw |
        | eth1   | yes    | 10          |
      And a claim "a" requesting 6 of "bw"
      And a claim "b" requesting 5 of "bw"
      And a pod "p1" that uses claim "a"
      And a pod "p2" that uses claim "a"
      When the cluster settles
      Then pod "p2" runs
      When a pod "q" that uses claim "b" is created
      And the cluster settles
      Then pod "q" is pending
      When pod "p1" finishes
      And the cluster settles
      Then pod "q" is pending
      And claim "a" is reserved for pod "p2"
      When pod "p2" finishes
      And the cluster settles
      Then pod "q" runs

    @case:pod-runs-with-available-capacity
    @KEP-5075/allocation/pod-runs-when-capacity-available
    Scenario: A pod that requests available capacity runs with a shared allocation
      Given the device
        | device | shared | capacity bw | policy bw                       |
        | eth1   | yes    | 4           | default 2, min 2, max 4, step 2 |
      And a claim "c" requesting 2 of "bw"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      And claim "c" gets exactly
        | device | share | consumed bw |
        | eth1   | yes   | 2           |

    @case:pending-above-total
    @KEP-5075/allocation/exceeding-total-pod-pending
    Scenario Outline: A pod that requests more than the total capacity of each device stays Pending
      Given the devices
        | device | shared | capacity bw |
        | eth1   | yes    | 10          |
        | eth2   | yes    | 10          |
      And a claim "c" requesting <amount> of "bw"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

      Examples:
        | amount |
        | 11     |
        | 10001m |
        | 20     |

    @case:pending-above-max
    @KEP-5075/allocation/policy-violation-pod-pending
    Scenario: A pod that requests more than max stays Pending until the driver raises max
      Given the device
        | device | shared | capacity bw | policy bw               |
        | eth1   | yes    | 10          | default 1, min 1, max 4 |
      And a claim "c" requesting 5 of "bw"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated
      When the driver changes the device "eth1"
        | field                                       | value |
        | capacity[bw].requestPolicy.validRange.max | 5     |
      And the cluster settles
      Then pod "p" runs
      And claim "c" consumes 5 of "bw"

  Rule: User stories

    @case:story-1-class-for-shared-devices
    @KEP-5075/allocation/class-for-multi-allocatable
    Scenario: Five pods share two devices through a DeviceClass for multi-allocatable devices
      Given the devices
        | device | shared | pool |
        | eth0   |        | p0   |
        | eth1   | yes    | p1   |
        | eth2   | yes    | p2   |
      And a device class "shared" that selects
        """
        device.allowMultipleAllocations == true
        """
      And a template "nic" requesting 1 device of class "shared"
      And a pod "p1" that uses the template "nic"
      And a pod "p2" that uses the template "nic"
      And a pod "p3" that uses the template "nic"
      And a pod "p4" that uses the template "nic"
      And a pod "p5" that uses the template "nic"
      When the cluster settles
      Then pod "p1" runs
      And pod "p2" runs
      And pod "p3" runs
      And pod "p4" runs
      And pod "p5" runs
      And claim "nic of pod p5" gets one of
        | choice | device | share |
        | 1      | eth1   | yes   |
        | 2      | eth2   | yes   |

    @case:story-1-no-shared-device
    @KEP-5075/allocation/class-for-multi-allocatable
    Scenario: A pod stays Pending if its DeviceClass requires multi-allocatable devices and none exists
      Given the device
        | device |
        | eth0   |
      And a device class "shared" that selects
        """
        device.allowMultipleAllocations == true
        """
      And a template "nic" requesting 1 device of class "shared"
      And a pod "p" that uses the template "nic"
      When the cluster settles
      Then pod "p" is pending

    @case:story-2-two-interfaces
    @KEP-5075/allocation/two-interfaces-story
    Scenario: A pod that requests two distinct interface names gets both interfaces
      Given the devices
        | device | shared | attribute interfaceName |
        | eth1   | yes    | string eth1             |
        | eth2   | yes    | string eth2             |
      And a claim "c" requesting 2 devices
      And claim "c" needs distinct "dra.example.com/interfaceName"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      And claim "c" gets exactly
        | device | share |
        | eth1   | yes   |
        | eth2   | yes   |

    @case:story-2-one-interface
    @KEP-5075/allocation/two-interfaces-story
    Scenario: A pod that requests two distinct interface names stays Pending with one interface
      Given the device
        | device | shared | attribute interfaceName |
        | eth1   | yes    | string eth1             |
      And a claim "c" requesting 2 devices
      And claim "c" needs distinct "dra.example.com/interfaceName"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

    @case:story-3-within-policy
    @KEP-5075/allocation/qos-story
    Scenario Outline: A pod gets its requested bandwidth, min for a smaller request, the default for none
      Given the device
        | device | shared | capacity bandwidth | policy bandwidth           |
        | eth1   | yes    | 10G                | default 1G, min 1G, max 5G |
      And a claim "c" requesting <requested>
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      And claim "c" consumes <consumed> of "bandwidth"

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
        | device | shared | capacity bandwidth | policy bandwidth           |
        | eth1   | yes    | 10G                | default 1G, min 1G, max 5G |
      And a claim "c" requesting 6G of "bandwidth"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

  Rule: Preparation of shared allocations by drivers

    @case:binding-condition-missing
    @KEP-5075/allocation/prebind-provisioning
    Scenario: A pod with a shared allocation is not bound while its binding condition is missing
      Given the devices
        | device | shared | capacity bw | binding     | failure |
        | eth1   | yes    | 10          | provisioned | failed  |
      And a claim "c" requesting 3 of "bw"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And the Pod "p" has
        | field         | value |
        | spec.nodeName | null  |
      And claim "c" gets exactly
        | device | share | consumed bw | binding     | failure |
        | eth1   | yes   | 3           | provisioned | failed  |
      And claim "c" is reserved for pod "p"

    @case:binding-condition-per-share
    @KEP-5075/allocation/prebind-provisioning
    Scenario: PreBind waits for the binding conditions of both shared allocations of a device
      Given the devices
        | device | shared | capacity bw | binding     | failure |
        | eth1   | yes    | 10          | provisioned | failed  |
      And a claim "c" with the requests
        | request | capacity bw |
        | a       | 3           |
        | b       | 4           |
      And a pod "p" that uses claim "c"
      When pod "p" is tried
      Then PreBind ends with Wait
      When somebody changes the ResourceClaim "c" in the meantime
        | field                                        | value                                                                                                                                                                                                                                                                                                                                              |
        | status.allocation.devices.results[0].shareID | 11111111-1111-4111-8111-111111111111 |
        | status.allocation.devices.results[1].shareID | 22222222-2222-4222-8222-222222222222 |
        | status.devices                               | [{driver: dra.example.com, pool: pool-1, device: eth1, shareID: 11111111-1111-4111-8111-111111111111, conditions: [{type: provisioned, status: "True", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}, {driver: dra.example.com, pool: pool-1, device: eth1, shareID: 22222222-2222-4222-8222-222222222222}] |
      And pod "p" goes on to be bound
      Then PreBind ends with Wait
      But since Kubernetes 1.34, because schedulers accept a device status of any shared allocation of the device: PreBind ends with Success

    @case:driver-gets-share-ids
    @KEP-5075/status/kubelet-plugin-knows-share
    Scenario: A driver gets a share ID for each of two ResourceClaims that share a device
      Given the device
        | device | shared | capacity bw |
        | eth1   | yes    | 10          |
      And a claim "c" requesting 3 of "bw"
      And a claim "d" requesting 4 of "bw"
      And a pod "p" that uses claims "c, d"
      When the cluster settles
      Then pod "p" runs
      And claim "c" is prepared on node "node-1" with
        | device | share |
        | eth1   | yes   |
      And claim "d" is prepared on node "node-1" with
        | device | share |
        | eth1   | yes   |

    @case:driver-gets-no-share-id
    @KEP-5075/status/kubelet-plugin-knows-share
    Scenario: A driver gets no share ID when it prepares an exclusive device
      Given the device
        | device | capacity bw |
        | eth1   | 10          |
      And a claim "c" requesting 3 of "bw"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      And claim "c" is prepared on node "node-1" with
        | device | share |
        | eth1   | no    |

  Rule: Allocations in flight

    @case:in-flight-capacity-counts
    @KEP-5075/capacity-accounting/allocated-plus-allocating
    Scenario Outline: Capacity that is in flight for one pod is not available to the next pod
      Given the device
        | device | shared | capacity bw |
        | eth1   | yes    | 10          |
      And a claim "a" requesting 8 of "bw"
      And a claim "b" requesting <amount> of "bw"
      And a pod "p" that uses claim "a"
      And a pod "q" that uses claim "b"
      When pod "p" is tried as far as Reserve
      Then after Reserve only claim "a" is in flight
      When pod "q" is tried as far as Reserve
      Then <what>

      Examples:
        | amount | what                                         |
        | 2      | after Reserve only claims "a, b" are in flight |
        | 3      | Reserve is not reached                       |

@profile:kep @profile:since-1.34
Feature: Pods that share devices
  What pods of shared devices get, in the words of the user stories and of the end-to-end tests: a pod runs when enough
  of the capacity is left, and is pending like any other pod when it is not.

  Rule: What is left of the capacity counts, not what there is in all

    @case:with-6-of-10-taken-a-pod-that-asks-for-5-is-pending
    @KEP-5075/capacity-accounting/remaining-not-total @KEP-5075/allocation/pod-runs-when-capacity-available
    Scenario Outline: With 6 of 10 taken, a pod that asks for 5 is pending and one that asks for <amount> runs
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

    @case:a-claim-of-6-that-two-pods-share-takes-6-of-10-so
    @KEP-5075/capacity-accounting/claim-shared-by-pods-counted-once
    Scenario Outline: A claim of 6 that two pods share takes 6 of 10, so that <amount> of the rest are for another pod
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

    @case:a-claim-of-6-that-two-pods-share-leaves-no-5-of-10
    @KEP-5075/capacity-accounting/claim-shared-by-pods-counted-once
    Scenario: A claim of 6 that two pods share leaves no 5 of 10 until both pods are done
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

    @case:a-pod-that-asks-for-2-of-4-runs-with-a-share-of-2
    @KEP-5075/allocation/pod-runs-when-capacity-available
    Scenario: A pod that asks for 2 of 4 runs with a share of 2
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

    @case:a-pod-that-asks-for-is-pending-where-each-device-has
    @KEP-5075/allocation/exceeding-total-pod-pending
    Scenario Outline: A pod that asks for <amount> is pending where each device has 10
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

    @case:a-pod-that-asks-for-5-where-at-most-4-are-given-is
    @KEP-5075/allocation/policy-violation-pod-pending
    Scenario: A pod that asks for 5 where at most 4 are given is pending, and runs when its driver gives 5
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

  Rule: The user stories

    @case:five-pods-share-eth1-and-eth2-through-a-class-of
    @KEP-5075/allocation/class-for-multi-allocatable
    Scenario: Five pods share eth1 and eth2 through a class of devices that allow multiple allocations
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

    @case:a-pod-of-that-class-is-pending-where-no-device
    @KEP-5075/allocation/class-for-multi-allocatable
    Scenario: A pod of that class is pending where no device allows multiple allocations
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

    @case:a-pod-that-asks-for-two-devices-with-distinct
    @KEP-5075/allocation/two-interfaces-story
    Scenario: A pod that asks for two devices with distinct interface names gets a share of eth1 and one of eth2
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

    @case:with-eth1-alone-the-pod-is-pending-though-eth1-can
    @KEP-5075/allocation/two-interfaces-story
    Scenario: With eth1 alone the pod is pending, though eth1 can be shared
      Given the device
        | device | shared | attribute interfaceName |
        | eth1   | yes    | string eth1             |
      And a claim "c" requesting 2 devices
      And claim "c" needs distinct "dra.example.com/interfaceName"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

    @case:a-pod-that-asks-for-gets-where-from-1g-to-5g-are
    @KEP-5075/allocation/qos-story
    Scenario Outline: A pod that asks for <requested> gets <consumed> where from 1G to 5G are given, and 1G by default
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

    @case:a-pod-that-asks-for-6g-is-pending-where-at-most-5g
    @KEP-5075/allocation/qos-story
    Scenario: A pod that asks for 6G is pending where at most 5G are given
      Given the device
        | device | shared | capacity bandwidth | policy bandwidth           |
        | eth1   | yes    | 10G                | default 1G, min 1G, max 5G |
      And a claim "c" requesting 6G of "bandwidth"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

  Rule: Drivers prepare shares, before a pod is bound or on its node

    @case:a-pod-is-bound-to-its-node-once-the-share-that-was
    @KEP-5075/allocation/prebind-provisioning
    Scenario: A pod is bound to its node once the share that was allocated for it has been provisioned
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

    @case:that-one-share-of-a-device-has-been-provisioned-says
    @KEP-5075/allocation/prebind-provisioning
    Scenario: That one share of a device has been provisioned says nothing of another one
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
      But since Kubernetes 1.34, because schedulers look for a report of the device, of whichever share: PreBind ends with Success

    @case:the-driver-is-told-which-share-of-the-device-it
    @KEP-5075/status/kubelet-plugin-knows-share
    Scenario: The driver is told which share of the device it prepares for each of two claims
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

    @case:of-a-dedicated-device-the-driver-is-told-no-share
    @KEP-5075/status/kubelet-plugin-knows-share
    Scenario: Of a dedicated device the driver is told no share
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

  Rule: What is in flight counts

    @case:while-8-of-10-are-in-flight-for-one-pod-a-pod-that
    @KEP-5075/capacity-accounting/allocated-plus-allocating
    Scenario Outline: While 8 of 10 are in flight for one pod, a pod that asks for <amount> is tried
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

@profile:kep @profile:since-1.34
Feature: Pods that share devices
  What pods of shared devices get, in the words of the user stories and of the end-to-end tests: a pod runs when enough
  of the capacity is left, and is pending like any other pod when it is not.

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

@profile:kep @profile:since-1.37
Feature: What users and operators see of compatibility groups

  Rule: Events and device preparation for incompatible devices

    Background:
      Given the counter set
        | counterSet | counter memory |
        | gpu-0      | 80Gi           |
      And the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | memory 20Gi            | mig                       |
        | vgpu-0 | memory 20Gi            | vgpu                      |
      And a ResourceClaim "first" requesting 1 device
      And a ResourceClaim "second" requesting 1 device
      And a pod "p" that uses ResourceClaim "first"
      And a pod "q" that uses ResourceClaim "second"

    @case:unschedulable-event
    @KEP-5963/diagnostics/generic-unschedulable-message @KEP-5963/diagnostics/no-prepare-failures
    Scenario: A pod whose device is incompatible stays Pending with an event, and nothing is prepared
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "first" is prepared on node "node-1"
      When pod "q" is created
      And the cluster reaches a steady state
      Then pod "q" is Pending
      And pod "q" has an event with the message "allocate all claims"
      And ResourceClaim "second" is not allocated
      And ResourceClaim "second" is prepared on no node

  Rule: Write requests

    @case:no-new-kind-of-request
    @KEP-5963/diagnostics/no-new-metrics-objects-or-calls
    Scenario: The scheduler sends the same kinds of write requests for devices with and without groups
      Given the counter set
        | counterSet | counter memory |
        | gpu-0      | 80Gi           |
      And the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | old-0  | string old     | memory 20Gi            |                           |
        | mig-0  | string mig     | memory 20Gi            | mig                       |
      And a ResourceClaim "old" with the request
        | selector                                           |
        | device.attributes["dra.example.com"].type == "old" |
      And a ResourceClaim "mig" with the request
        | selector                                           |
        | device.attributes["dra.example.com"].type == "mig" |
      When a pod "p" that uses ResourceClaim "old" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      When pod "p" is deleted
      And the cluster reaches a steady state
      And a pod "q" that uses ResourceClaim "mig" is created
      And the cluster reaches a steady state
      Then pod "q" is Running
      And the scheduler sends no new kind of write request

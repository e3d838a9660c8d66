@profile:since-1.34
Feature: A claim whose device failed to bind is deallocated by the next scheduling attempt
  The attempt that waited for the device ends in an error and leaves the claim as it is. The next one finds that the claim
  can be used on no node, and frees it.

  Background:
    Given the devices
      | device | binding  | failure |
      | gpu-0  | attached | broken  |
      | gpu-1  | attached | broken  |
    And a claim "c" requesting 2 devices
    And a pod "p" that uses claim "c"

  @case:failure-ends-wait-keeps-allocation
  @API/binding/failure
  Scenario: A binding failure ends the attempt with an error and the next attempt deallocates
    When pod "p" is tried
    Then PreBind ends with Wait
    When somebody changes the ResourceClaim "c" in the meantime
      | field          | value                                                                                                                                                              |
      | status.devices | [{driver: dra.example.com, pool: pool-1, device: gpu-0, conditions: [{type: broken, status: "True", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}] |
    And pod "p" goes on to be bound
    Then PreBind ends with Error
    And Bind is not reached
    And after Unreserve claim "c" holds exactly "gpu-0, gpu-1"
    And after Unreserve claim "c" is reserved for nobody
    When pod "p" is tried
    Then Filter ends with UnschedulableAndUnresolvable
    And PostFilter ends with Unschedulable
    And after PostFilter claim "c" holds nothing

  @case:failure-claim-reserved-for-other-pod
  @API/binding/failure
  Scenario: A claim with a failed device stays allocated while another pod has reserved it
    Given a pod "q" that uses claim "c"
    When pod "p" is tried
    And pod "q" is tried
    Then PreBind ends with Wait
    When somebody changes the ResourceClaim "c" in the meantime
      | field          | value                                                                                                                                                              |
      | status.devices | [{driver: dra.example.com, pool: pool-1, device: gpu-0, conditions: [{type: broken, status: "True", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}] |
    And pod "p" goes on to be bound
    And pod "p" is tried
    Then PostFilter ends with Unschedulable
    And after PostFilter claim "c" holds exactly "gpu-0, gpu-1"
    And after PostFilter claim "c" is reserved for pod "q"

  @case:deallocated-claim-keeps-waiting
  @API/binding/waits
  Scenario: A pod still waits in PreBind after its claim is deallocated
    When pod "p" is tried
    And somebody changes the ResourceClaim "c" in the meantime
      | field              | value |
      | status.allocation  | null  |
      | status.reservedFor | null  |
    And pod "p" goes on to be bound
    Then PreBind ends with Wait

  @case:failure-behind-unready-device
  @API/binding/failure
  Scenario Outline: A failed device is noticed only after the device before it is ready
    When pod "p" is tried
    And somebody changes the ResourceClaim "c" in the meantime
      | field                                | value                                                                                                                                       |
      | status.devices                       | [{driver: dra.example.com, pool: pool-1, device: gpu-1, conditions: [{type: broken, status: "True", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}, {driver: dra.example.com, pool: pool-1, device: gpu-0, conditions: [{type: attached, status: "<reported>", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}] |
    And pod "p" goes on to be bound
    Then PreBind ends with <code>

    Examples:
      | reported | code  |
      | False    | Wait  |
      | True     | Error |

  @case:allocated-by-other-ends-attempt
  @API/reservation/given-back
  Scenario: An attempt ends with an error if its claim is allocated differently in the meantime
    When pod "p" is tried as far as Reserve
    And somebody changes the ResourceClaim "c" in the meantime
      | field             | value                                                                                              |
      | status.allocation | {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-1}]}} |
    And pod "p" goes on to be bound
    Then PreBind ends with Error
    And after Unreserve nothing is in flight
    And after Unreserve claim "c" is reserved for nobody

  @case:deallocated-before-reserve-written
  @API/reservation/given-back
  Scenario: A second pod's attempt ends with an error if the claim is deallocated in the meantime
    Given a pod "q" that uses claim "c"
    When pod "p" is tried
    And pod "q" is tried as far as Reserve
    And somebody changes the ResourceClaim "c" in the meantime
      | field              | value |
      | status.allocation  | null  |
      | status.reservedFor | null  |
    And pod "q" goes on to be bound
    Then PreBind ends with Error
    And after Unreserve claim "c" is reserved for nobody

  @case:abandoned-attempt-leaves-reservation
  @API/reservation/given-back
  Scenario: An abandoned attempt leaves nothing in flight and another pod's reservation in place
    Given a pod "q" that uses claim "c"
    When pod "p" is tried
    Then PreBind ends with Wait
    When pod "q" is tried as far as Reserve
    And the attempt for pod "q" is given up
    Then after Unreserve nothing is in flight
    And after Unreserve claim "c" is reserved for pod "p"

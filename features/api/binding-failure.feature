@profile:since-1.34
Feature: A device that could not be made ready is given back by the next attempt
  The attempt that waited for the device ends in an error and leaves the claim as it is. The next one finds that the claim
  can be used on no node, and frees it.

  Background:
    Given the devices
      | device | binding  | failure |
      | gpu-0  | attached | broken  |
      | gpu-1  | attached | broken  |
    And a claim "c" requesting 2 devices
    And a pod "p" that uses claim "c"

  @API/binding/failure
  Scenario: The wait ends with an error, and what is allocated stays so
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

  @API/binding/failure
  Scenario: A claim whose device failed is not freed while it is reserved for another pod
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

  @API/binding/waits
  Scenario: A pod waits on for a claim that somebody has deallocated
    When pod "p" is tried
    And somebody changes the ResourceClaim "c" in the meantime
      | field              | value |
      | status.allocation  | null  |
      | status.reservedFor | null  |
    And pod "p" goes on to be bound
    Then PreBind ends with Wait

  @API/binding/failure
  Scenario Outline: That a device failed shows once the one before it is ready, which is reported as <reported>
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

  @API/reservation/given-back
  Scenario: A claim that somebody else has allocated meanwhile ends the attempt with an error
    When pod "p" is tried as far as Reserve
    And somebody changes the ResourceClaim "c" in the meantime
      | field             | value                                                                                              |
      | status.allocation | {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-1}]}} |
    And pod "p" goes on to be bound
    Then PreBind ends with Error
    And after Unreserve nothing is in flight
    And after Unreserve claim "c" is reserved for nobody

  @API/reservation/given-back
  Scenario: A claim that somebody has deallocated meanwhile ends the attempt of a further pod with an error
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

  @API/reservation/given-back
  Scenario: A pod that is given up leaves nothing in flight of a claim that is written, though another pod waits for it
    Given a pod "q" that uses claim "c"
    When pod "p" is tried
    Then PreBind ends with Wait
    When pod "q" is tried as far as Reserve
    And the attempt for pod "q" is given up
    Then after Unreserve nothing is in flight
    And after Unreserve claim "c" is reserved for pod "p"

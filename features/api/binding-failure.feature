@profile:since-1.34
Feature: A ResourceClaim whose device failed to bind is deallocated by the next scheduling attempt
  The attempt that waited for the device ends in an error and leaves the claim as it is. The next one finds that the claim
  can be used on no node, and frees it.

  Background:
    Given the devices
      | device | bindingConditions | bindingFailureConditions |
      | gpu-0  | attached          | broken                   |
      | gpu-1  | attached          | broken                   |
    And a ResourceClaim "c" requesting 2 devices
    And a pod "p" that uses ResourceClaim "c"

  @case:failure-ends-wait-keeps-allocation
  @API/binding/failure
  Scenario: A binding failure ends the scheduling attempt, and the next attempt deallocates the claim
    When scheduling of pod "p" is attempted
    Then PreBind returns Wait
    When another client updates ResourceClaim "c" with
      | field          | value                                                                                                                                                              |
      | status.devices | [{driver: dra.example.com, pool: pool-1, device: gpu-0, conditions: [{type: broken, status: "True", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}] |
    And the binding cycle of pod "p" runs
    Then PreBind returns Error
    And Bind is not reached
    And after Unreserve ResourceClaim "c" is allocated exactly "gpu-0, gpu-1"
    And after Unreserve ResourceClaim "c" is reserved for no pod
    When scheduling of pod "p" is attempted
    Then Filter returns UnschedulableAndUnresolvable
    And PostFilter returns Unschedulable
    And after PostFilter ResourceClaim "c" is not allocated

  @case:failure-claim-reserved-for-other-pod
  @API/binding/failure
  Scenario: A ResourceClaim with a failed device stays allocated while reserved for another pod
    Given a pod "q" that uses ResourceClaim "c"
    When scheduling of pod "p" is attempted
    And scheduling of pod "q" is attempted
    Then PreBind returns Wait
    When another client updates ResourceClaim "c" with
      | field          | value                                                                                                                                                              |
      | status.devices | [{driver: dra.example.com, pool: pool-1, device: gpu-0, conditions: [{type: broken, status: "True", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}] |
    And the binding cycle of pod "p" runs
    And scheduling of pod "p" is attempted
    Then PostFilter returns Unschedulable
    And after PostFilter ResourceClaim "c" is allocated exactly "gpu-0, gpu-1"
    And after PostFilter ResourceClaim "c" is reserved for pod "q"

  @case:deallocated-claim-keeps-waiting
  @API/binding/waits
  Scenario: A pod still waits in PreBind after its ResourceClaim is deallocated
    When scheduling of pod "p" is attempted
    And another client updates ResourceClaim "c" with
      | field              | value |
      | status.allocation  | null  |
      | status.reservedFor | null  |
    And the binding cycle of pod "p" runs
    Then PreBind returns Wait

  @case:failure-behind-unready-device
  @API/binding/failure
  Scenario Outline: A binding failure is detected only after all earlier devices of the claim are ready
    When scheduling of pod "p" is attempted
    And another client updates ResourceClaim "c" with
      | field                                | value                                                                                                                                       |
      | status.devices                       | [{driver: dra.example.com, pool: pool-1, device: gpu-1, conditions: [{type: broken, status: "True", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}, {driver: dra.example.com, pool: pool-1, device: gpu-0, conditions: [{type: attached, status: "<reported>", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}] |
    And the binding cycle of pod "p" runs
    Then PreBind returns <code>

    Examples:
      | reported | code  |
      | False    | Wait  |
      | True     | Error |

  @case:allocated-by-other-ends-attempt
  @API/reservation/given-back
  Scenario: PreBind returns Error if another client has changed the allocation after Reserve
    When scheduling of pod "p" up to Reserve is attempted
    And another client updates ResourceClaim "c" with
      | field             | value                                                                                              |
      | status.allocation | {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-1}]}} |
    And the binding cycle of pod "p" runs
    Then PreBind returns Error
    And after Unreserve no ResourceClaim is in flight
    And after Unreserve ResourceClaim "c" is reserved for no pod

  @case:deallocated-before-reserve-written
  @API/reservation/given-back
  Scenario: PreBind returns Error if another client has deallocated the ResourceClaim after Reserve
    Given a pod "q" that uses ResourceClaim "c"
    When scheduling of pod "p" is attempted
    And scheduling of pod "q" up to Reserve is attempted
    And another client updates ResourceClaim "c" with
      | field              | value |
      | status.allocation  | null  |
      | status.reservedFor | null  |
    And the binding cycle of pod "q" runs
    Then PreBind returns Error
    And after Unreserve ResourceClaim "c" is reserved for no pod

  @case:abandoned-attempt-leaves-reservation
  @API/reservation/given-back
  Scenario: An aborted scheduling attempt keeps the reservation of another pod that shares the claim
    Given a pod "q" that uses ResourceClaim "c"
    When scheduling of pod "p" is attempted
    Then PreBind returns Wait
    When scheduling of pod "q" up to Reserve is attempted
    And the scheduling attempt of pod "q" is aborted
    Then after Unreserve no ResourceClaim is in flight
    And after Unreserve ResourceClaim "c" is reserved for pod "p"

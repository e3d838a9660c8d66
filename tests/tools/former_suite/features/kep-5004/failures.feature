Feature: Writes of the special claim fail
  The claim is created, gets its finalizer and its allocation, and then the pod names it. A write that fails ends the
  attempt: what was written is taken back, and the pod is tried again.

  Background:
    Given a device class "gpu" for "example.com/gpu"
    And the device
      | device |
      | gpu-0  |

  @case:after-an-update-of-the-pods-status-that-fails-the
  @KEP-5004/failure-handling/prebind-pod-status-update-fails @KEP-5004/pod-status/cleared-on-cleanup
  Scenario: After an update of the pod's status that fails the pod runs and names the claim it has
    When the next 1 update of the status of a Pod by components fails as Forbidden
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And pod "p" is refused as Error
    And claim "extended resources of pod p" gets 1 device
    And the special claim of pod "p" serves
      | container | resource        |
      | main      | example.com/gpu |

  @case:a-conflict-in-an-update-of-does-not-end-the-attempt
  @KEP-5004/failure-handling/conflicts-retried-locally
  Scenario Outline: A conflict in an update of <what> does not end the attempt
    When the next 1 update of <what> by components fails as Conflict
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device

    Examples:
      | what                             |
      | a ResourceClaim                  |
      | the status of a ResourceClaim    |

Feature: Writes of the special claim fail
  The claim is created, gets its finalizer and its allocation, and then the pod names it. A write that fails ends the
  attempt: what was written is taken back, and the pod is tried again.

  Background:
    Given a device class "gpu" for "example.com/gpu"
    And the device
      | device |
      | gpu-0  |

  @case:after-creations-that-fail-as-the-pod-runs-with-one
  @KEP-5004/failure-handling/prebind-claim-create-fails @KEP-5004/lifecycle/failed-pod-retry-keeps-one-claim
  @KEP-5004/special-claim/at-most-one-per-pod @KEP-5004/diagnostics/throttled-claim-creation
  Scenario Outline: After <times> creations that fail as <reason> the pod runs with one claim
    When the next <times> creations of a ResourceClaim by components fail as <reason>
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And pod "p" is refused as Error
    And claim "extended resources of pod p" gets 1 device
    And claim "extended resources of pod p" is reserved for pod "p"

    Examples:
      | times | reason             |
      | 1     | InternalError      |
      | 1     | Forbidden          |
      | 5     | ServiceUnavailable |

  @case:after-an-update-of-the-finalizer-that-fails-the-pod
  @KEP-5004/failure-handling/prebind-finalizer-update-fails @KEP-5004/scheduling-phase/unreserve-deletes
  @KEP-5004/special-claim/at-most-one-per-pod
  Scenario: After an update of the finalizer that fails the pod runs with one claim
    When the next 1 update of a ResourceClaim by components fails as InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And pod "p" is refused as Error
    And claim "extended resources of pod p" gets 1 device
    And the special claim of pod "p" serves
      | container | resource        |
      | main      | example.com/gpu |

  @case:after-updates-of-the-finalizer-that-fail-three-times
  @KEP-5004/failure-handling/prebind-finalizer-update-fails @KEP-5004/special-claim/at-most-one-per-pod
  Scenario: After updates of the finalizer that fail three times, in Unreserve too, the pod runs with one claim
    When the next 3 updates of a ResourceClaim by components fail as InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device
    And the special claim of pod "p" serves
      | container | resource        |
      | main      | example.com/gpu |

  @case:after-updates-of-the-claims-status-that-fail-the-pod
  @KEP-5004/failure-handling/prebind-claim-status-update-fails @KEP-5004/scheduling-phase/unreserve-deletes
  Scenario Outline: After <times> updates of the claim's status that fail the pod runs with one claim
    When the next <times> updates of the status of a ResourceClaim by components fail as InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And pod "p" is refused as Error
    And claim "extended resources of pod p" gets 1 device

    Examples:
      | times |
      | 1     |
      | 4     |

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

  @case:after-attempts-that-fail-in-different-ways-the-pod
  @KEP-5004/lifecycle/failed-pod-retry-keeps-one-claim
  Scenario: After attempts that fail in different ways the pod runs with one claim
    When the next 1 creation of a ResourceClaim by components fails as InternalError
    And the next 2 updates of the status of a ResourceClaim by components fail as InternalError
    And the next 1 update of a ResourceClaim by components fails as Forbidden
    And the next 1 update of the status of a Pod by components fails as InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device
    And claim "extended resources of pod p" is reserved for pod "p"

  @case:a-claim-that-could-not-be-deleted-times-does-not
  @KEP-5004/failure-handling/unreserve-continues-and-is-idempotent @KEP-5004/failure-handling/unreserve-order
  @KEP-5004/failure-handling/postfilter-failure-is-error @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
  Scenario Outline: A claim that could not be deleted <times> times does not keep its pod from running
    When the next 1 update of the status of a Pod by components fails as InternalError
    And the next <times> deletions of a ResourceClaim by components fail as InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device
    And the special claim of pod "p" serves
      | container | resource        |
      | main      | example.com/gpu |

    Examples:
      | times |
      | 1     |
      | 2     |
      | 3     |

  @case:a-claim-that-could-not-be-deleted-does-not-keep-its
  @KEP-5004/special-claim/at-most-one-per-pod @KEP-5004/lifecycle/failed-pod-retry-keeps-one-claim
  Scenario: A claim that could not be deleted does not keep its pod from running whose init container alone uses it
    When the next 1 update of the status of a Pod by components fails as InternalError
    And the next 1 deletion of a ResourceClaim by components fails as InternalError
    And a pod "p" with the containers is created
      | container | kind | limit example.com/gpu |
      | first     | init | 1                     |
      | main      | app  |                       |
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets exactly
      | device |
      | gpu-0  |
    And the special claim of pod "p" serves
      | container | resource        |
      | first     | example.com/gpu |

  @case:a-claim-whose-finalizer-could-not-be-removed-does
  @KEP-5004/failure-handling/unreserve-continues-and-is-idempotent @KEP-5004/failure-handling/unreserve-order
  Scenario: A claim whose finalizer could not be removed does not keep its pod from running
    When the next 1 update of the status of a ResourceClaim by components fails as InternalError
    And the next 2 updates of a ResourceClaim by components fail as InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device

  @case:the-device-of-an-attempt-that-fails-is-free-for
  @KEP-5004/scheduling-phase/reserve-in-flight @KEP-5004/scheduling-phase/unreserve-deletes
  Scenario: The device of an attempt that fails is free for another pod
    Given a claim "c" requesting 1 device of class "gpu"
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And the next 30 creations of a ResourceClaim by components fail as Forbidden
    And a pod "q" that uses claim "c" is created
    And the cluster settles
    Then pod "q" runs
    And claim "c" gets 1 device
    And pod "p" is pending
    And pod "p" has no special claim

  @case:nothing-is-left-of-a-pod-that-is-deleted-between
  @KEP-5004/lifecycle/failed-pod-retry-keeps-one-claim
  Scenario: Nothing is left of a pod that is deleted between attempts
    When the next 1 update of the status of a Pod by components fails as InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    And pod "p" is deleted
    And the cluster settles
    Then the ResourceClaim "extended resources of pod p" does not exist
    When a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "q" runs

  @case:a-claim-is-written-once-its-pod-has-a-node-and
  @KEP-5004/scheduling-phase/prebind-writes @KEP-5004/scheduling-phase/reserve-in-flight
  Scenario: A claim is written once its pod has a node and before the pod is bound
    Given the device
      | device | binding | failure | driver          | pool |
      | fab-0  | Ready   | Broken  | fab.example.com | fab  |
    And a device class "fab" for "example.com/fab" that selects
      """
      device.driver == "fab.example.com"
      """
    When a pod "p" that requests 1 of "example.com/fab" is created
    And the cluster settles
    Then pod "p" is pending
    And claim "extended resources of pod p" gets exactly
      | device | driver          |
      | fab-0  | fab.example.com |
    And claim "extended resources of pod p" is reserved for pod "p"
    When a pod "q" that requests 1 of "example.com/fab" is created
    And the cluster settles
    Then pod "q" is pending
    And pod "q" has no special claim

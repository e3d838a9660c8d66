Feature: Failed API writes of the extended-resource claim
  PreBind creates the extended-resource claim, adds its finalizer, writes its allocation and then updates the pod
  status. A failed write ends the attempt: Unreserve removes what was written, and the pod is retried.

  Background:
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    And the device
      | device |
      | gpu-0  |

  @case:claim-creates-fail
  @KEP-5004/failure-handling/prebind-claim-create-fails @KEP-5004/lifecycle/failed-pod-retry-keeps-one-claim
  @KEP-5004/special-claim/at-most-one-per-pod
  Scenario Outline: A pod runs with one extended-resource claim after attempts to create the claim failed
    When the next <times> creations of a ResourceClaim by components fail with <reason>
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And scheduling of pod "p" fails with Error
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And ResourceClaim "extended resources of pod p" is reserved for pod "p"

    Examples:
      | times | reason             |
      | 1     | InternalError      |
      | 1     | Forbidden          |
      | 5     | ServiceUnavailable |

  @case:finalizer-update-fails
  @KEP-5004/failure-handling/prebind-finalizer-update-fails @KEP-5004/scheduling-phase/unreserve-deletes
  @KEP-5004/special-claim/at-most-one-per-pod
  Scenario: A pod runs after the finalizer update of its extended-resource claim has failed
    When the next 1 update of a ResourceClaim by components fails with InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And scheduling of pod "p" fails with Error
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |

  @case:finalizer-update-fails-three-times
  @KEP-5004/failure-handling/prebind-finalizer-update-fails @KEP-5004/special-claim/at-most-one-per-pod
  Scenario: A pod runs although three finalizer updates of its extended-resource claim have failed
    When the next 3 updates of a ResourceClaim by components fail with InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |

  @case:claim-status-updates-fail
  @KEP-5004/failure-handling/prebind-claim-status-update-fails @KEP-5004/scheduling-phase/unreserve-deletes
  Scenario Outline: A pod runs although status updates of its extended-resource claim have failed
    When the next <times> updates of the status of a ResourceClaim by components fail with InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And scheduling of pod "p" fails with Error
    And ResourceClaim "extended resources of pod p" is allocated 1 device

    Examples:
      | times |
      | 1     |
      | 4     |

  @case:pod-status-update-fails
  @KEP-5004/failure-handling/prebind-pod-status-update-fails @KEP-5004/pod-status/cleared-on-cleanup
  Scenario: A pod runs and has its requestMappings after a pod status update has failed
    When the next 1 update of the status of a pod by components fails with Forbidden
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And scheduling of pod "p" fails with Error
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |

  @case:different-writes-fail
  @KEP-5004/lifecycle/failed-pod-retry-keeps-one-claim
  Scenario: A pod runs with one extended-resource claim after creates and updates have failed
    When the next 1 creation of a ResourceClaim by components fails with InternalError
    And the next 2 updates of the status of a ResourceClaim by components fail with InternalError
    And the next 1 update of a ResourceClaim by components fails with Forbidden
    And the next 1 update of the status of a pod by components fails with InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And ResourceClaim "extended resources of pod p" is reserved for pod "p"

  @case:claim-deletes-fail
  @KEP-5004/failure-handling/unreserve-continues-and-is-idempotent
  @KEP-5004/lifecycle/failed-pod-retry-keeps-one-claim
  Scenario Outline: A pod runs although deletes of its extended-resource claim have failed
    When the next 1 update of the status of a pod by components fails with InternalError
    And the next <times> deletions of a ResourceClaim by components fail with InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |

    Examples:
      | times |
      | 1     |
      | 2     |
      | 3     |

  @case:claim-delete-fails-init-container
  @KEP-5004/special-claim/at-most-one-per-pod @KEP-5004/lifecycle/failed-pod-retry-keeps-one-claim
  Scenario: A pod in which only an init container uses the resource runs after a failed claim delete
    When the next 1 update of the status of a pod by components fails with InternalError
    And the next 1 deletion of a ResourceClaim by components fails with InternalError
    And a pod "p" with the containers is created
      | container | kind | limit example.com/gpu |
      | first     | init | 1                     |
      | main      | app  |                       |
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated exactly
      | device |
      | gpu-0  |
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | first         | example.com/gpu |

  @case:finalizer-and-status-updates-fail
  @KEP-5004/failure-handling/prebind-finalizer-update-fails @KEP-5004/failure-handling/prebind-claim-status-update-fails
  Scenario: A pod runs although two finalizer updates and a status update of its claim have failed
    When the next 1 update of the status of a ResourceClaim by components fails with InternalError
    And the next 2 updates of a ResourceClaim by components fail with InternalError
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 1 device

  @case:device-of-failed-attempt-free
  @KEP-5004/failure-handling/prebind-claim-create-fails
  Scenario: The device of a failed scheduling attempt is allocated to the ResourceClaim of another pod
    Given a ResourceClaim "c" requesting 1 device of class "gpu"
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And the next 30 creations of a ResourceClaim by components fail with Forbidden
    And a pod "q" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "c" is allocated 1 device
    And pod "p" is Pending
    And pod "p" has no extended-resource claim

  @case:claim-written-before-binding
  @KEP-5004/scheduling-phase/prebind-writes
  Scenario: An extended-resource claim is written before its pod is bound
    Given the device
      | device | bindingConditions | bindingFailureConditions | driver          | pool |
      | fab-0  | Ready             | Broken                   | fab.example.com | fab  |
    And a DeviceClass "fab" for extended resource "example.com/fab" with the selector
      """
      device.driver == "fab.example.com"
      """
    When a pod "p" that requests 1 of "example.com/fab" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "extended resources of pod p" is allocated exactly
      | device | driver          |
      | fab-0  | fab.example.com |
    And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "extended resources of pod p" is reserved for pod "p"
    When a pod "q" that requests 1 of "example.com/fab" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And pod "q" has no extended-resource claim

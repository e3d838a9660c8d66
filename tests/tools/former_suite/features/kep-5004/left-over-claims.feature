Feature: A special claim of an earlier attempt
  The scheduler finds the claim that it has made for a pod before. One that is still valid is used again, any other is
  deleted, and the next attempt makes a new one.

  Background:
    Given a node "n1"
    And a node "n3"
    And a device class "gpu" for "example.com/gpu" created at "2020-01-01T10:00:00Z"
    And the devices
      | device | node | pool |
      | gpu-0  | n1   | n1   |
      | gpu-1  | n1   | n1   |
    And the device
      | device | node | pool |
      | gpu-0  | n3   | n3   |

  @case:a-claim-that-cannot-be-deleted-at-first-is-deleted
  @KEP-5004/failure-handling/postfilter-failure-is-error
  Scenario: A claim that cannot be deleted at first is deleted by a later attempt
    Given the fixture "left-over-special-claim"
    When the Node "n1" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And the next 2 deletions of a ResourceClaim by components fail as InternalError
    And the cluster settles
    Then pod "p" runs on node "n3"
    And the ResourceClaim "p-extended-resources-8s27z" does not exist

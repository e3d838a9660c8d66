Feature: The special claim lives as long as its pod

  Background:
    Given a device class "gpu" for "example.com/gpu"
    And the devices
      | device |
      | gpu-0  |
      | gpu-1  |

  @case:a-special-claim-goes-when-its-pod-though-the-pod-is
  @KEP-5004/lifecycle/managed-by-scheduler-and-gc @profile:since-1.34
  Scenario Outline: A special claim goes when its pod <ends>, though the pod is still there
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    When pod "p" <ends>
    And the cluster settles
    Then the ResourceClaim "extended resources of pod p" does not exist
    And the Pod "p" has
      | field        | value   |
      | status.phase | <phase> |

    Examples:
      | ends     | phase     |
      | finishes | Succeeded |
      | fails    | Failed    |

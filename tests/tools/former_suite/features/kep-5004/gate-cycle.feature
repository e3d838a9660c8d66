Feature: The feature gate is turned on, off and on again
  The test scenarios of the document: enablement, disablement, and both after one another.

  Background:
    Given a node "dra"
    And a node "plugin" with 1 of "example.com/gpu"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |

  @case:without-the-feature-in-the-api-server-a-class-comes
  @KEP-5004/version-skew/partial-rollout @KEP-5004/create-strategy/class-field-with-gate-off
  @profile:kep @profile:from-1.34-to-1.36
  Scenario: Without the feature in the API server a class comes to serve no resource
    Given the feature gate "DRAExtendedResource" is off in the API server
    When a device class "gpu" for "example.com/gpu" is created
    Then the field "spec.extendedResourceName" is dropped
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" is pending
    And pod "p" has no special claim

  @case:pods-that-do-not-use-the-feature-run-with-the-gate
  @KEP-5004/feature-gate/on-changes-nothing-by-default @KEP-5004/version-skew/non-users-unaffected
  Scenario Outline: Pods that do not use the feature run with the gate <apiserver> and <scheduler> and <kubelet> in three components
    Given the feature gate "DRAExtendedResource" is <apiserver> in the API server
    And the feature gate "DRAExtendedResource" is <scheduler> in the scheduler
    And the feature gate "DRAExtendedResource" is <kubelet> in the kubelet
    And a device class "gpu"
    And a claim "c" requesting 1 device of class "gpu"
    And a pod "plain" with the container
      | container | limit cpu |
      | c0        | 1         |
    And a pod "plugged" that requests 1 of "example.com/gpu"
    And a pod "claiming" that uses claim "c"
    When the cluster settles
    Then pod "plain" runs
    And pod "plain" has no special claim
    And pod "plugged" runs on node "plugin"
    And pod "plugged" has no special claim
    And pod "claiming" runs on node "dra"
    And pod "claiming" has no special claim
    And claim "c" gets 1 device

    @profile:kep @profile:since-1.34
    Examples: On
      | apiserver | scheduler | kubelet |
      | on        | on        | on      |

    @profile:kep @profile:from-1.34-to-1.36
    Examples: Off somewhere
      | apiserver | scheduler | kubelet |
      | on        | on        | off     |
      | on        | off       | on      |
      | on        | off       | off     |
      | off       | on        | on      |
      | off       | on        | off     |
      | off       | off       | on      |
      | off       | off       | off     |

  @case:a-pod-that-runs-keeps-its-claim-when-the-gate-is
  @KEP-5004/enablement/on-to-off-keeps-running-pods @KEP-5004/version-skew/partial-rollout
  @profile:kep @profile:from-1.34-to-1.36
  Scenario Outline: A pod that runs keeps its claim when the gate is turned off in <component>
    Given a device class "gpu" for "example.com/gpu"
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster settles
    And the feature gate "DRAExtendedResource" is turned off in <component>
    And a pod "plain" without claims is created
    And the cluster settles
    Then pod "p" runs on node "dra"
    And claim "extended resources of pod p" keeps its allocation
    And the special claim of pod "p" serves
      | container | resource        |
      | main      | example.com/gpu |
    And pod "plain" runs

    Examples:
      | component              |
      | the API server         |
      | the scheduler          |
      | the controller manager |
      | the kubelet            |

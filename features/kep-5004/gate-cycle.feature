Feature: DRAExtendedResource turned on, off and on again
  The test scenarios of the KEP: enablement, disablement and re-enablement of the feature gate.

  Background:
    Given a node "dra"
    And a node "plugin" with allocatable 1 of "example.com/gpu"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |

  @case:explicit-name-dra-devices
  @KEP-5004/enablement/basic-feature @KEP-5004/diagnostics/feature-in-use @KEP-5004/implicit-name/scenarios-cover-both-forms
  Scenario: A pod that requests an explicit extended resource name is allocated DRA devices
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    And a pod "p" that requests 2 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "dra"
    And ResourceClaim "extended resources of pod p" is allocated 2 devices
    And ResourceClaim "extended resources of pod p" is reserved for pod "p"
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |

  @case:implicit-name-dra-devices
  @KEP-5004/enablement/basic-feature @KEP-5004/implicit-name/scenarios-cover-both-forms
  @profile:kep @profile:since-1.35
  Scenario: A pod that requests an implicit extended resource name is allocated DRA devices
    Given a DeviceClass "gpu"
    And a pod "p" that requests 2 of "deviceclass.resource.kubernetes.io/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "dra"
    And ResourceClaim "extended resources of pod p" is allocated 2 devices
    And ResourceClaim "extended resources of pod p" is reserved for pod "p"
    And pod "p" has the requestMappings
      | containerName | resourceName                           |
      | main          | deviceclass.resource.kubernetes.io/gpu |

  @case:scheduler-off-device-plugin-only
  @KEP-5004/feature-gate/off-means-device-plugin-only @KEP-5004/feature-gate/name-and-components
  @profile:kep @profile:from-1.34-to-1.36
  Scenario: With DRAExtendedResource off in the scheduler, only device plugins provide the resource
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    And the feature gate "DRAExtendedResource" is off in the scheduler
    And a ResourceClaim "c" requesting 1 device of class "gpu"
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And a pod "r" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "plugin"
    And pod "p" has no extended-resource claim
    And pod "q" is Pending
    And pod "q" has no extended-resource claim
    And pod "r" is Running on node "dra"

  @case:scheduler-off-implicit-name
  @KEP-5004/feature-gate/off-means-device-plugin-only @KEP-5004/lifecycle/managed-by-scheduler-and-gc
  @KEP-5004/implicit-name/scenarios-cover-both-forms @profile:kep @profile:from-1.34-to-1.36
  Scenario: With DRAExtendedResource off in the scheduler, a pod with an implicit name stays Pending
    Given a DeviceClass "gpu"
    And the feature gate "DRAExtendedResource" is off in the scheduler
    And a pod "p" that requests 1 of "deviceclass.resource.kubernetes.io/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim

  @case:apiserver-off-name-dropped
  @KEP-5004/version-skew/partial-rollout @KEP-5004/create-strategy/class-field-with-gate-off
  @profile:kep @profile:from-1.34-to-1.36
  Scenario: extendedResourceName is dropped from a new DeviceClass with DRAExtendedResource off
    Given the feature gate "DRAExtendedResource" is off in the API server
    When a DeviceClass "gpu" for extended resource "example.com/gpu" is created
    Then the field "spec.extendedResourceName" is dropped
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim

  @case:other-pods-run-with-any-gates
  @KEP-5004/feature-gate/on-changes-nothing-by-default @KEP-5004/version-skew/non-users-unaffected
  Scenario Outline: Pods without DRA-backed extended resources run with DRAExtendedResource on or off
    Given the feature gate "DRAExtendedResource" is <apiserver> in the API server
    And the feature gate "DRAExtendedResource" is <scheduler> in the scheduler
    And the feature gate "DRAExtendedResource" is <kubelet> in the kubelet
    And a DeviceClass "gpu"
    And a ResourceClaim "c" requesting 1 device of class "gpu"
    And a pod "plain" with the container
      | container | limit cpu |
      | c0        | 1         |
    And a pod "plugged" that requests 1 of "example.com/gpu"
    And a pod "claiming" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "plain" is Running
    And pod "plain" has no extended-resource claim
    And pod "plugged" is Running on node "plugin"
    And pod "plugged" has no extended-resource claim
    And pod "claiming" is Running on node "dra"
    And pod "claiming" has no extended-resource claim
    And ResourceClaim "c" is allocated 1 device

    @profile:kep @profile:since-1.34
    Examples: Gate on in all components
      | apiserver | scheduler | kubelet |
      | on        | on        | on      |

    @profile:kep @profile:from-1.34-to-1.36
    Examples: Gate off in at least one component
      | apiserver | scheduler | kubelet |
      | on        | on        | off     |
      | on        | off       | on      |
      | on        | off       | off     |
      | off       | on        | on      |
      | off       | on        | off     |
      | off       | off       | on      |
      | off       | off       | off     |

  @case:turned-on
  @KEP-5004/enablement/off-to-on @KEP-5004/enablement/workload-transition @KEP-5004/implicit-name/scenarios-cover-both-forms
  @profile:kep @profile:from-1.34-to-1.36
  Scenario: Pods keep running and new pods get DRA devices once DRAExtendedResource is turned on
    Given the feature gate "DRAExtendedResource" is off in the API server, the scheduler, the controller manager and the kubelet
    When a DeviceClass "early" for extended resource "example.com/gpu" is created
    Then the field "spec.extendedResourceName" is dropped
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "plugin"
    When the feature gate "DRAExtendedResource" is turned on
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "plugin"
    And pod "p" has no extended-resource claim
    And pod "q" is Pending
    When a DeviceClass "gpu" for extended resource "example.com/gpu" is created
    Then the field "spec.extendedResourceName" is kept
    When the cluster reaches a steady state
    Then pod "q" is Running on node "dra"
    And ResourceClaim "extended resources of pod q" is allocated 1 device
    And pod "p" is Running on node "plugin"
    And pod "p" has no extended-resource claim

  @case:turned-off
  @KEP-5004/enablement/on-to-off-keeps-running-pods @KEP-5004/enablement/on-to-off-new-pods
  @KEP-5004/enablement/off-then-delete-frees-devices
  @profile:kep @profile:from-1.34-to-1.36
  Scenario: With DRAExtendedResource off, running pods keep their claims and new pods get no devices
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "dra"
    When the feature gate "DRAExtendedResource" is turned off
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    And a pod "r" that requests 1 of "example.com/gpu" is created
    And a ResourceClaim "c" requesting 1 device of class "gpu" is created
    And a pod "s" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "dra"
    And ResourceClaim "extended resources of pod p" keeps its allocation
    And ResourceClaim "extended resources of pod p" is reserved for pod "p"
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |
    And pod "q" is Running on node "plugin"
    And pod "q" has no extended-resource claim
    And pod "r" is Pending
    And pod "r" has no extended-resource claim
    And pod "s" is Pending
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "extended resources of pod p" does not exist
    And pod "s" is Running on node "dra"
    And pod "r" is Pending

  @case:turned-on-again-clean
  @KEP-5004/enablement/re-enable-clean @KEP-5004/implicit-name/scenarios-cover-both-forms
  @profile:kep @profile:from-1.34-to-1.36
  Scenario: A new pod gets DRA devices after DRAExtendedResource was off and all pods were deleted
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "dra"
    When the feature gate "DRAExtendedResource" is turned off
    And pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "extended resources of pod p" does not exist
    When the feature gate "DRAExtendedResource" is turned on
    And a pod "q" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Running on node "dra"
    And ResourceClaim "extended resources of pod q" is allocated 2 devices
    And DeviceClass "gpu" has
      | field                     | value           |
      | spec.extendedResourceName | example.com/gpu |

  @case:turned-on-again-with-running-pod
  @KEP-5004/enablement/re-enable-with-survivors @profile:kep @profile:from-1.34-to-1.36
  Scenario: A running pod keeps its devices when DRAExtendedResource is turned off and on again
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "dra"
    When the feature gate "DRAExtendedResource" is turned off
    And the cluster reaches a steady state
    And the feature gate "DRAExtendedResource" is turned on
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Running on node "plugin"
    When a pod "r" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "r" is Pending
    And ResourceClaim "extended resources of pod p" keeps its allocation
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then pod "r" is Running on node "dra"

  @case:turned-off-in-one-component
  @KEP-5004/enablement/on-to-off-keeps-running-pods @KEP-5004/version-skew/partial-rollout
  @profile:kep @profile:from-1.34-to-1.36
  Scenario Outline: A pod keeps its claim when DRAExtendedResource is turned off in <component>
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    And the feature gate "DRAExtendedResource" is turned off in <component>
    And a pod "plain" without ResourceClaims is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "dra"
    And ResourceClaim "extended resources of pod p" keeps its allocation
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |
    And pod "plain" is Running

    Examples:
      | component              |
      | the API server         |
      | the scheduler          |
      | the controller manager |
      | the kubelet            |

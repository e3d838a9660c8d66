Feature: Rollback of DRANodeAllocatableResources and version skew
  A pod placed with the gate on has status entries for its ResourceClaims. A pod placed with the gate off has none.

  Background:
    Given a node "node-1" with allocatable 16 of "cpu"

  Rule: Pods placed with DRANodeAllocatableResources on

    Background:
      Given the device
        | device | mapping cpu |
        | large  | 12          |
      And a ResourceClaim "c" requesting 1 device
      And a pod "first" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |

    @case:pod-keeps-running
    @KEP-5517/rollback/existing-pods-keep-running
    Scenario: A running pod keeps its allocation after DRANodeAllocatableResources is turned off
      When the cluster reaches a steady state
      Then pod "first" is Running
      When the feature gate "DRANodeAllocatableResources" is turned off
      And the scheduler restarts
      And the cluster reaches a steady state
      Then pod "first" is Running
      And ResourceClaim "c" keeps its allocation

    @case:gate-off-counts-requests-only
    @KEP-5517/rollback/cache-rebuilt-without-dra @KEP-5517/rollback/oversubscription-possible-while-off
    @KEP-5517/feature-gate/components
    Scenario Outline: A running pod uses only its request after DRANodeAllocatableResources is turned off
      When the cluster reaches a steady state
      Then pod "first" is Running
      When the feature gate "DRANodeAllocatableResources" is turned off in the scheduler and the kubelet
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster reaches a steady state
      Then pod "next" <what>

      Examples:
        | cpu    | what       |
        | 14     | is Running |
        | 15     | is Running |
        | 15001m | is Pending |

    @case:gate-on-again-counts-claim
    @KEP-5517/rollback/reenable-resumes-accounting @KEP-5517/lifecycle/scheduler-restart-rebuilds-from-status
    Scenario Outline: A running pod's ResourceClaim counts again once DRANodeAllocatableResources is on again
      When the cluster reaches a steady state
      Then pod "first" is Running
      When the feature gate "DRANodeAllocatableResources" is turned off
      And the cluster reaches a steady state
      And the feature gate "DRANodeAllocatableResources" is turned on
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster reaches a steady state
      Then pod "first" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 12           |
      And pod "next" <what>

      Examples:
        | cpu   | what       |
        | 3     | is Running |
        | 3001m | is Pending |

  Rule: Pods placed with DRANodeAllocatableResources off

    Background:
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And the feature gate "DRANodeAllocatableResources" is off in the scheduler

    @case:placed-by-request-only
    @KEP-5517/feature-gate/off-scheduler-ignores-mappings @KEP-5517/rollback/oversubscription-possible-while-off
    Scenario: A pod is placed by its request alone with DRANodeAllocatableResources off
      Given a pod "other" with the container
        | container | request cpu |
        | main      | 15          |
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" is allocated
      And pod "p" has no nodeAllocatableResourceClaimStatuses
      And pod "other" is Running

    @case:not-counted-retroactively
    @KEP-5517/rollback/reenable-is-not-retroactive @KEP-5517/rollback/upgrade-existing-pods-not-counted
    Scenario Outline: A pod placed before DRANodeAllocatableResources is turned on uses only its CPU request
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the feature gate "DRANodeAllocatableResources" is turned on in the scheduler
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster reaches a steady state
      Then pod "p" has no nodeAllocatableResourceClaimStatuses
      And pod "next" <what>

      Examples:
        | cpu    | what       |
        | 12     | is Running |
        | 15     | is Running |
        | 15001m | is Pending |

    @case:recreated-pod-counted
    @KEP-5517/rollback/reenable-is-not-retroactive @KEP-5517/rollback/upgrade-existing-pods-not-counted
    Scenario Outline: A pod recreated after DRANodeAllocatableResources is on uses the CPUs of its ResourceClaim
      When the cluster reaches a steady state
      And the feature gate "DRANodeAllocatableResources" is turned on in the scheduler
      And pod "p" is deleted
      And the cluster reaches a steady state
      And a pod "again" with the container is created
        | container | request cpu | claims |
        | main      | 1           | c      |
      And the cluster reaches a steady state
      Then pod "again" is Running
      And pod "again" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 4            |
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster reaches a steady state
      Then pod "next" <what>

      Examples:
        | cpu    | what       |
        | 11     | is Running |
        | 11001m | is Pending |

    @case:new-pod-counted
    @KEP-5517/rollback/upgrade-new-pods-counted @KEP-5517/rollback/reenable-resumes-accounting
    Scenario Outline: A pod scheduled after DRANodeAllocatableResources is on uses the CPUs of its ResourceClaim
      When the feature gate "DRANodeAllocatableResources" is turned on in the scheduler
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 4            |
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster reaches a steady state
      Then pod "next" <what>

      Examples:
        | cpu    | what       |
        | 11     | is Running |
        | 11001m | is Pending |

  Rule: Validation of mappings after DRANodeAllocatableResources is turned on again

    @case:validation-active-again
    @KEP-5517/rollback/reenable-resumes-accounting
    Scenario: A mapping to an extended resource is rejected once DRANodeAllocatableResources is on again
      Given the device
        | device | mapping cpu |
        | a      | 12          |
      When the feature gate "DRANodeAllocatableResources" is turned off in the API server
      And the feature gate "DRANodeAllocatableResources" is turned on in the API server
      And the driver updates the device "a" with
        | field                                            | value                               |
        | nodeAllocatableResourceMappings[example.com/gpu] | {allocationMultiplier: "1"}         |
        | nodeAllocatableResources[example.com/gpu]        | {mapping: {deviceMultiplier: "1"}}  |
      Then the object is rejected

  Rule: Scheduler of Kubernetes 1.35, or API server with DRANodeAllocatableResources off

    Background:
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |

    @case:scheduler-1.35
    @KEP-5517/version-skew/old-scheduler-ignores-new-fields
    Scenario: A scheduler of Kubernetes 1.35 places a pod by its request alone
      Given the scheduler runs Kubernetes 1.35
      And a pod "other" with the container
        | container | request cpu |
        | main      | 15          |
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" is allocated
      And pod "p" has no nodeAllocatableResourceClaimStatuses
      And pod "other" is Running

    @case:api-server-drops-entries
    @KEP-5517/version-skew/api-server-without-field
    Scenario: A restarted scheduler ignores ResourceClaims not in nodeAllocatableResourceClaimStatuses
      Given the feature gate "DRANodeAllocatableResources" is off in the API server
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has no nodeAllocatableResourceClaimStatuses
      When the scheduler restarts
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | 15          |
      And the cluster reaches a steady state
      Then pod "next" is Running

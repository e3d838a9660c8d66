Feature: The feature gate is turned off and on again, and components that differ
  A pod that was placed with the gate on has its entries; one that was placed with it off has none.

  Background:
    Given a node "node-1" with 16 of "cpu"

  Rule: A pod that was placed with the gate on

    Background:
      Given the device
        | device | takes cpu |
        | large  | 12        |
      And a claim "c" requesting 1 device
      And a pod "first" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |

    @case:it-goes-on-when-the-gate-is-turned-off
    @KEP-5517/rollback/existing-pods-keep-running
    Scenario: It goes on when the gate is turned off
      When the cluster settles
      Then pod "first" runs
      When the feature gate "DRANodeAllocatableResources" is turned off
      And the scheduler restarts
      And the cluster settles
      Then pod "first" runs
      And claim "c" keeps its allocation

    @case:with-the-gate-off-it-counts-1-more
    @KEP-5517/rollback/cache-rebuilt-without-dra @KEP-5517/rollback/oversubscription-possible-while-off
    @KEP-5517/feature-gate/components
    Scenario Outline: With the gate off it counts 1: <cpu> more <what>
      When the cluster settles
      Then pod "first" runs
      When the feature gate "DRANodeAllocatableResources" is turned off in the scheduler and the kubelet
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster settles
      Then pod "next" <what>

      Examples:
        | cpu    | what       |
        | 14     | runs       |
        | 15     | runs       |
        | 15001m | is pending |

    @case:when-the-gate-is-on-again-it-counts-13-more
    @KEP-5517/rollback/reenable-resumes-accounting @KEP-5517/lifecycle/scheduler-restart-rebuilds-from-status
    Scenario Outline: When the gate is on again it counts 13: <cpu> more <what>
      When the cluster settles
      Then pod "first" runs
      When the feature gate "DRANodeAllocatableResources" is turned off
      And the cluster settles
      And the feature gate "DRANodeAllocatableResources" is turned on
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster settles
      Then pod "first" records
        | claim | containers | takes cpu |
        | c     | main       | 12        |
      And pod "next" <what>

      Examples:
        | cpu   | what       |
        | 3     | runs       |
        | 3001m | is pending |

  Rule: A pod that was placed with the gate off

    Background:
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And the feature gate "DRANodeAllocatableResources" is off in the scheduler

    @case:it-needs-only-what-it-requests-itself-and-records
    @KEP-5517/feature-gate/off-scheduler-ignores-mappings @KEP-5517/rollback/oversubscription-possible-while-off
    Scenario: It needs only what it requests itself, and records nothing
      Given a pod "other" with the container
        | container | request cpu |
        | main      | 15          |
      When the cluster settles
      Then pod "p" runs
      And claim "c" is allocated
      And pod "p" records nothing
      And pod "other" runs

    @case:when-the-gate-is-on-again-it-still-counts-1-more
    @KEP-5517/rollback/reenable-is-not-retroactive @KEP-5517/rollback/upgrade-existing-pods-not-counted
    Scenario Outline: When the gate is on again it still counts 1: <cpu> more <what>
      When the cluster settles
      Then pod "p" runs
      When the feature gate "DRANodeAllocatableResources" is turned on in the scheduler
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster settles
      Then pod "p" records nothing
      And pod "next" <what>

      Examples:
        | cpu    | what       |
        | 12     | runs       |
        | 15     | runs       |
        | 15001m | is pending |

    @case:made-anew-it-counts-5-more
    @KEP-5517/rollback/reenable-is-not-retroactive @KEP-5517/rollback/upgrade-existing-pods-not-counted
    Scenario Outline: Made anew it counts 5: <cpu> more <what>
      When the cluster settles
      And the feature gate "DRANodeAllocatableResources" is turned on in the scheduler
      And pod "p" is deleted
      And the cluster settles
      And a pod "again" with the container is created
        | container | request cpu | claims |
        | main      | 1           | c      |
      And the cluster settles
      Then pod "again" runs
      And pod "again" records
        | claim | containers | takes cpu |
        | c     | main       | 4         |
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster settles
      Then pod "next" <what>

      Examples:
        | cpu    | what       |
        | 11     | runs       |
        | 11001m | is pending |

    @case:after-the-gate-was-turned-on-a-new-pod-counts-5-more
    @KEP-5517/rollback/upgrade-new-pods-counted @KEP-5517/rollback/reenable-resumes-accounting
    Scenario Outline: After the gate was turned on a new pod counts 5: <cpu> more <what>
      When the feature gate "DRANodeAllocatableResources" is turned on in the scheduler
      And the cluster settles
      Then pod "p" runs
      And pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | 4         |
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster settles
      Then pod "next" <what>

      Examples:
        | cpu    | what       |
        | 11     | runs       |
        | 11001m | is pending |

  Rule: Validation

    @case:validation-of-the-fields-is-back-when-the-gate-is-on
    @KEP-5517/rollback/reenable-resumes-accounting
    Scenario: Validation of the fields is back when the gate is on again
      Given the device
        | device | takes cpu |
        | a      | 12        |
      When the feature gate "DRANodeAllocatableResources" is turned off in the API server
      And the feature gate "DRANodeAllocatableResources" is turned on in the API server
      And the driver changes the device "a"
        | field                                            | value                               |
        | nodeAllocatableResourceMappings[example.com/gpu] | {allocationMultiplier: "1"}         |
        | nodeAllocatableResources[example.com/gpu]        | {mapping: {deviceMultiplier: "1"}}  |
      Then it is rejected

  Rule: Components that differ

    Background:
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |

    @case:a-scheduler-of-1-35-places-the-pod-by-what-it
    @KEP-5517/version-skew/old-scheduler-ignores-new-fields
    Scenario: A scheduler of 1.35 places the pod by what it requests itself
      Given the scheduler runs Kubernetes 1.35
      And a pod "other" with the container
        | container | request cpu |
        | main      | 15          |
      When the cluster settles
      Then pod "p" runs
      And claim "c" is allocated
      And pod "p" records nothing
      And pod "other" runs

    @case:what-the-api-server-drops-is-lost-to-a-scheduler
    @KEP-5517/version-skew/api-server-without-field @KEP-5517/feature-gate/components
    Scenario: What the API server drops is lost to a scheduler that restarts
      Given the feature gate "DRANodeAllocatableResources" is off in the API server
      When the cluster settles
      Then pod "p" runs
      And pod "p" records nothing
      When the scheduler restarts
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | 15          |
      And the cluster settles
      Then pod "next" runs

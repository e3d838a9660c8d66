Feature: Feature gates needed in several components

  @case:prioritized-list-gate
  @DRA/feature-gate/prioritized-list-components @profile:kep @profile:from-1.34-to-1.35
  Scenario Outline: A pod with a prioritized list needs DRAPrioritizedList in the API server and the scheduler
    Given the device
      | device |
      | gpu-0  |
    And the feature gate "DRAPrioritizedList" is <state> in <components>
    When a ResourceClaim "c" with the request is created
      | request | subrequest | count |
      | r0      | two        | 2     |
      | r0      | one        | 1     |
    And a pod "p" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "p" <outcome>

    Examples:
      | state | components                       | outcome    |
      | on    | the API server and the scheduler | is Running |
      | off   | the API server                   | is Pending |
      | off   | the scheduler                    | is Pending |
      | off   | the API server and the scheduler | is Pending |

  @case:prioritized-list-gate-off-in-prefilter
  @DRA/feature-gate/prioritized-list-components @profile:kep @profile:from-1.34-to-1.36
  Scenario: With DRAPrioritizedList off in the scheduler, a prioritized list is never allocated
    Given the device
      | device |
      | gpu-0  |
    And the feature gate "DRAPrioritizedList" is off
    And a ResourceClaim "c" with the request
      | request | subrequest | count |
      | r0      | one        | 1     |
    And a pod "p" that uses ResourceClaim "c"
    When scheduling of pod "p" is attempted
    Then Reserve is not reached
    But from Kubernetes 1.34 to 1.36, because the document names no phases and no codes: PreFilter returns UnschedulableAndUnresolvable
    But from Kubernetes 1.34 to 1.36, because the document names no phases and no codes: Filter is not reached

  @profile:from-1.34-to-1.36
  Rule: ResourceClaimTemplates with a gate off in the controller manager

    Background:
      Given the device
        | device |
        | gpu-0  |
      And the object
        """
        apiVersion: v1
        kind: Namespace
        metadata:
          name: default
          labels: {resource.kubernetes.io/admin-access: 'true'}
        """

    @case:template-with-gate-off-in-controller-manager
    Scenario Outline: With <gate> off, no claim is created from a template that needs the gate
      Given a ResourceClaimTemplate "t" with the request
        | request | <column> |
        | r0      | <value>  |
      And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
      And the feature gate "<gate>" is off in the controller manager
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "gpu of pod p" does not exist
      And pod "p" has an event FailedResourceClaimCreation with the message "the feature is disabled"
      When the feature gate "<gate>" is turned on in the controller manager
      And the cluster reaches a steady state
      Then pod "p" is Running

      @DRA/feature-gate/admin-access-off-removes-field @profile:from-1.34-to-1.35
      Examples:
        | gate           | column      | value |
        | DRAAdminAccess | adminAccess | yes   |

      @DRA/feature-gate/prioritized-list-components
      Examples:
        | gate               | column     | value |
        | DRAPrioritizedList | subrequest | one   |

  @DRA/feature-gate/partitionable-components @profile:kep @profile:since-1.34
  Rule: DRAPartitionableDevices in the scheduler

    Background:
      Given the counter set
        | counterSet | counter memory |
        | gpu-0      | 8Gi            |
      And the devices
        | device | consumesCounters gpu-0 |
        | part-0 | memory 6Gi             |
        | part-1 | memory 6Gi             |
      And a ResourceClaim "first" requesting 1 device
      And a ResourceClaim "second" requesting 1 device
      And a pod "p" that uses ResourceClaim "first"

    @case:partitionable-gate-on
    Scenario: With DRAPartitionableDevices on, a partition without enough counters is not allocated
      When the cluster reaches a steady state
      Then pod "p" is Running
      When a pod "q" that uses ResourceClaim "second" is created
      And the cluster reaches a steady state
      Then pod "q" is Pending
      But in Kubernetes 1.34, because this release does not validate counters in another ResourceSlice than the device: pod "q" is Running

    @case:partitionable-gate-off-in-scheduler
    Scenario: With DRAPartitionableDevices off in the scheduler, no partition is allocated
      Given the feature gate "DRAPartitionableDevices" is off in the scheduler
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "first" is not allocated

  Rule: DRADeviceTaints and DynamicResourceAllocation in each component

    @case:noschedule-gate
    @DRA/feature-gate/taints-components @profile:kep @profile:from-1.34-to-1.36
    Scenario Outline: A NoSchedule taint needs DRADeviceTaints in the API server and the scheduler
      Given the feature gate "DRADeviceTaints" is <state> in <components>
      And a ResourceClaim "c" requesting 1 device
      When the driver publishes the device
        | device | taints            |
        | gpu-0  | broken:NoSchedule |
      And a pod "p" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then pod "p" <outcome>

      Examples:
        | state | components                                               | outcome    |
        | on    | the API server, the scheduler and the controller manager | is Pending |
        | off   | the API server                                           | is Running |
        | off   | the scheduler                                            | is Running |

    @case:noexecute-gate
    @DRA/feature-gate/taints-components @profile:kep @profile:from-1.34-to-1.36
    Scenario Outline: A NoExecute taint needs DRADeviceTaints in the API server and the controller manager
      Given the feature gate "DRADeviceTaints" is off in <component>
      And the device
        | device |
        | gpu-0  |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      And the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" keeps its allocation

      Examples:
        | component              |
        | the API server         |
        | the controller manager |

  @case:dra-turned-on
  @DRA/feature-gate/dra-off-by-default @profile:in-1.33
  Scenario: Pods can use ResourceClaims only after DynamicResourceAllocation is turned on
    Given the device
      | device |
      | gpu-0  |
    And a ResourceClaim "c" requesting 1 device
    When a pod "p" that uses ResourceClaim "c" is created
    Then the field "spec.resourceClaims" is dropped
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is not allocated
    When the feature gate "DynamicResourceAllocation" is turned on
    And a pod "q" that uses ResourceClaim "c" is created
    Then the field "spec.resourceClaims" is kept
    When the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "c" is allocated

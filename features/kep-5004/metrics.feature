@profile:kep @profile:since-1.35
Feature: Metrics of extended-resource claims
  The scheduler counts the ResourceClaims that it creates. The resource claim controller counts the existing
  ResourceClaims by their source, which their annotations tell.

  Background:
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    And the devices
      | device |
      | gpu-0  |
      | gpu-1  |

  Rule: Metrics of ResourceClaims created by the scheduler

    @case:one-create-succeeds
    @KEP-5004/metrics/creates-total @KEP-5004/metrics/creates-separate-from-controller
    Scenario: One successful ResourceClaim creation is counted for a pod with an extended resource
      When a pod "p" that requests 1 of "example.com/gpu" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And the metric scheduler_resourceclaim_creates_total{status=success} changes by 1
      And the metric scheduler_resourceclaim_creates_total{status=failure} changes by 0
      And the metric resourceclaim_controller_creates_total changes by 0
      But since Kubernetes 1.37, because the scheduler and the controller count creates in the same metric: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=success} changes by 1
      And since Kubernetes 1.37, because the scheduler and the controller count creates in the same metric: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=failure} changes by 0

    @case:two-creates-succeed
    @KEP-5004/metrics/creates-total
    Scenario: Two successful ResourceClaim creations are counted for two pods with extended resources
      When a pod "p" that requests 1 of "example.com/gpu" is created
      And a pod "q" that requests 1 of "example.com/gpu" is created
      And the cluster reaches a steady state
      Then the metric scheduler_resourceclaim_creates_total{status=success} changes by 2
      But since Kubernetes 1.37, because the scheduler and the controller count creates in the same metric: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=success} changes by 2

    @case:create-rejected-then-succeeds
    @KEP-5004/metrics/creates-total
    Scenario: A rejected ResourceClaim creation is counted as a failure, and its retry as a success
      When the next 1 creation of a ResourceClaim by components fails with Forbidden
      And a pod "p" that requests 1 of "example.com/gpu" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And the metric scheduler_resourceclaim_creates_total{status=failure} changes by 1
      And the metric scheduler_resourceclaim_creates_total{status=success} changes by 1
      But since Kubernetes 1.37, because the scheduler and the controller count creates in the same metric: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=failure} changes by 1
      And since Kubernetes 1.37, because the scheduler and the controller count creates in the same metric: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=success} changes by 1

    @case:create-with-two-requests-rejected
    @KEP-5004/metrics/creates-total
    Scenario: Each rejected creation is one failure if two containers request the resource
      When the next 2 creations of a ResourceClaim by components fail with Forbidden
      And a pod "p" with the containers is created
        | container | limit example.com/gpu |
        | c0        | 1                     |
        | c1        | 1                     |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And the metric scheduler_resourceclaim_creates_total{status=failure} changes by 2
      And the metric scheduler_resourceclaim_creates_total{status=success} changes by 1
      But since Kubernetes 1.37, because the scheduler and the controller count creates in the same metric: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=failure} changes by 2
      And since Kubernetes 1.37, because the scheduler and the controller count creates in the same metric: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=success} changes by 1

    @case:no-device-no-create
    @KEP-5004/metrics/creates-total
    Scenario: No ResourceClaim creation is counted if too few devices are left for a pod
      When a pod "p" that requests 3 of "example.com/gpu" is created
      And the cluster reaches a steady state
      Then pod "p" is Pending
      And the metric scheduler_resourceclaim_creates_total changes by 0

    @case:controller-create-not-in-scheduler
    @KEP-5004/metrics/creates-separate-from-controller
    Scenario: Scheduler metrics do not count a ResourceClaim that the ResourceClaim controller creates
      Given a ResourceClaimTemplate "t" requesting 1 device
      When a pod "p" that uses the ResourceClaimTemplate "t" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And the metric resourceclaim_controller_creates_total{status=success} changes by 1
      And the metric scheduler_resourceclaim_creates_total changes by 0
      But since Kubernetes 1.37, because the scheduler and the controller count creates in the same metric: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=success} changes by 1

  Rule: Metrics of existing ResourceClaims

    @case:source-extended-resource
    @KEP-5004/metrics/resource-claims-source-label @KEP-5004/metrics/source-from-annotation
    Scenario: Metrics count an extended-resource claim with extended-resource as its source
      When a pod "p" that requests 1 of "example.com/gpu" is created
      And the cluster reaches a steady state
      Then the metric resourceclaim_controller_resource_claims{source=extended-resource, allocated=true, admin_access=false} changes by 1
      And the metric resourceclaim_controller_resource_claims{source=resource-claim-template} changes by 0
      But in Kubernetes 1.35, because the source label is extended_resource: the metric resourceclaim_controller_resource_claims{source=extended_resource, allocated=true, admin_access=false} changes by 1
      But in Kubernetes 1.36, because the source label is extended_resource: the metric resourceclaim_controller_resource_claims{source=extended_resource, allocated=true, admin_access=false} changes by 1
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{source=extended_resource, allocated=true, admin_access=false} changes by 1

    @case:source-template
    @KEP-5004/metrics/resource-claims-source-label
    Scenario: Metrics count a ResourceClaim from a template with resource-claim-template as its source
      Given a ResourceClaimTemplate "t" requesting 1 device
      When a pod "p" that uses the ResourceClaimTemplate "t" is created
      And the cluster reaches a steady state
      Then the metric resourceclaim_controller_resource_claims{source=resource-claim-template, allocated=true} changes by 1
      And the metric resourceclaim_controller_resource_claims{source=extended-resource} changes by 0
      But in Kubernetes 1.35, because the source label is resource_claim_template: the metric resourceclaim_controller_resource_claims{source=resource_claim_template, allocated=true} changes by 1
      But in Kubernetes 1.36, because the source label is resource_claim_template: the metric resourceclaim_controller_resource_claims{source=resource_claim_template, allocated=true} changes by 1
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{source=resource_claim_template, allocated=true} changes by 1

    @case:admin-access-in-one-request
    @KEP-5004/metrics/resource-claims-source-label
    Scenario: A ResourceClaim with adminAccess in one of its requests is counted as admin_access=true
      Given the object
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: default, labels: {resource.k8s.io/admin-access: "true", resource.kubernetes.io/admin-access: "true"}}
        """
      When a ResourceClaim "c" with the requests is created
        | request | count | adminAccess |
        | r0      | 1     |             |
        | r1      | 1     | yes         |
      And the cluster reaches a steady state
      Then the metric resourceclaim_controller_resource_claims{admin_access=true} changes by 1
      And the metric resourceclaim_controller_resource_claims{admin_access=false} changes by 0
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{admin_access=true} changes by 1

    @case:allocated-before-reserved
    @KEP-5004/metrics/resource-claims-source-label
    Scenario: A ResourceClaim counts as allocated in metrics before a pod reserves it
      Given a ResourceClaim "c" requesting 1 device
      When the cluster reaches a steady state
      And the status of ResourceClaim "c" is updated with
        | field             | value                                                                                             |
        | status.allocation | {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}} |
      And the cluster reaches a steady state
      Then the metric resourceclaim_controller_resource_claims{allocated=true} changes by 1
      And the metric resourceclaim_controller_resource_claims{allocated=false} changes by -1
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{allocated=true} changes by 1

    @case:source-user-claim-owned-by-pod
    @KEP-5004/metrics/resource-claims-source-label
    Scenario: A ResourceClaim that a user creates with a pod as its owner is counted without a source
      Given the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: owner, namespace: default, uid: 5e1f7c40-92d3-4b7a-8e66-3c0a9d2b1f31}
        spec: {containers: [{name: main, image: registry.k8s.io/pause:3.10}]}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: c
          namespace: default
          ownerReferences:
            - {apiVersion: v1, kind: Pod, name: owner, uid: 5e1f7c40-92d3-4b7a-8e66-3c0a9d2b1f31, controller: true}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}}
        """
      When the cluster reaches a steady state
      And ResourceClaim "c" is deleted
      And the cluster reaches a steady state
      Then the metric resourceclaim_controller_resource_claims{allocated=false} changes by -1
      And the metric resourceclaim_controller_resource_claims{source=resource-claim-template} changes by 0
      And the metric resourceclaim_controller_resource_claims{source=extended-resource} changes by 0
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{allocated=false} changes by -1
      And since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{source=resource_claim_template} changes by 0

    @case:deleted-in-use-still-counted
    @KEP-5004/metrics/resource-claims-source-label
    Scenario Outline: A ResourceClaim that is deleted while a pod uses it is counted until it is gone
      Given a ResourceClaimTemplate "t" requesting 1 device
      When a pod "p" that <uses> is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      When ResourceClaim "<claim>" is deleted
      And the cluster reaches a steady state
      Then pod "p" is Running
      And the metric resourceclaim_controller_resource_claims{allocated=true} changes by 0
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{allocated=true} changes by 0
      When pod "p" is deleted
      And the cluster reaches a steady state
      Then the metric resourceclaim_controller_resource_claims{allocated=true} changes by -1
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{allocated=true} changes by -1

      Examples:
        | uses                                     | claim                       |
        | uses the ResourceClaimTemplate "t" as "gpu" | gpu of pod p                |
        | requests 1 of "example.com/gpu"          | extended resources of pod p |

    @case:pod-deleted-claim-not-counted
    @KEP-5004/metrics/resource-claims-source-label @KEP-5004/metrics/source-from-annotation
    Scenario: Metrics no longer count an extended-resource claim after its pod is deleted
      When a pod "p" that requests 1 of "example.com/gpu" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      When pod "p" is deleted
      And the cluster reaches a steady state
      Then the metric resourceclaim_controller_resource_claims{source=extended-resource} changes by -1
      But in Kubernetes 1.35, because the source label is extended_resource: the metric resourceclaim_controller_resource_claims{source=extended_resource} changes by -1
      But in Kubernetes 1.36, because the source label is extended_resource: the metric resourceclaim_controller_resource_claims{source=extended_resource} changes by -1
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{source=extended_resource} changes by -1

  Rule: Metrics that exist without the feature

    @case:requests-of-pods
    @KEP-5004/metrics/pod-resource-metrics-do-not-differ
    Scenario: Metrics of pods count an extended resource equally with DRA and with a device plugin
      Given a node "plugin" with allocatable 2 of "example.com/nic"
      When a pod "p" that requests 2 of "example.com/gpu" is created
      And a pod "q" that requests 2 of "example.com/nic" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running on node "plugin"
      And the metric kube_pod_resource_request{pod=p, resource=example.com/gpu} changes by 2
      And the metric kube_pod_resource_limit{pod=p, resource=example.com/gpu} changes by 2
      And the metric kube_pod_resource_request{pod=q, resource=example.com/nic} changes by 2
      And the metric kube_pod_resource_limit{pod=q, resource=example.com/nic} changes by 2

    @case:pending-pods-and-queues
    @KEP-5004/metrics/existing-signals
    Scenario: Metrics count a Pending pod with an extended resource, and the work for a ResourceClaim
      When a pod "p" that requests 2 of "example.com/gpu" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And the metric scheduler_pod_scheduling_sli_duration_seconds_count increases
      And the metric workqueue_adds_total{name=resource_claim} increases
      And the metric scheduler_pending_pods{queue=unschedulable} changes by 0
      When a pod "q" that requests 1 of "example.com/gpu" is created
      And the cluster reaches a steady state
      Then pod "q" is Pending
      And the metric scheduler_pending_pods{queue=unschedulable} changes by 1

  Rule: Reasons in the log of the scheduler

    @case:too-many-devices-logged
    @KEP-5004/diagnostics/too-many-devices-is-explained
    Scenario: The scheduler logs why a pod that requests 129 devices stays Pending
      When a pod "p" that requests 129 of "example.com/gpu" is created
      And the cluster reaches a steady state
      Then pod "p" is Pending
      And the scheduler logs "default/p" with "devices" at verbosity 5

    @case:failed-create-logged
    @KEP-5004/diagnostics/throttled-claim-creation
    Scenario: A throttled ResourceClaim creation is counted, logged and tried again
      When the next 1 creation of a ResourceClaim by components fails with TooManyRequests
      And a pod "p" that requests 1 of "example.com/gpu" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And the scheduler logs "too many requests" at verbosity 5
      And the metric scheduler_resourceclaim_creates_total{status=failure} changes by 1
      And the metric scheduler_resourceclaim_creates_total{status=success} changes by 1
      But since Kubernetes 1.37, because the scheduler and the controller count creates in the same metric: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=failure} changes by 1
      And since Kubernetes 1.37, because the scheduler and the controller count creates in the same metric: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=success} changes by 1

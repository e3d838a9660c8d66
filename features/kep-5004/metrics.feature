@profile:kep @profile:since-1.35
Feature: What components count of claims for extended resources
  The scheduler counts the claims that it asks for, and the controller tells by their annotations what claims are for.

  Background:
    Given a device class "gpu" for "example.com/gpu"
    And the devices
      | device |
      | gpu-0  |
      | gpu-1  |

  Rule: Creates of the scheduler

    @case:the-claim-for-a-pods-extended-resources-is-one
    @KEP-5004/metrics/creates-total
    Scenario: The claim for a pod's extended resources is one create that succeeded
      When a pod "p" that requests 1 of "example.com/gpu" is created
      And the cluster settles
      Then pod "p" runs
      And the metric scheduler_resourceclaim_creates_total{status=success} has grown by 1
      And the metric scheduler_resourceclaim_creates_total{status=failure} has grown by 0
      But since Kubernetes 1.37, because scheduler and controller count creates under one name: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=success} has grown by 1
      And since Kubernetes 1.37, because scheduler and controller count creates under one name: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=failure} has grown by 0

    @case:two-pods-are-two-creates
    @KEP-5004/metrics/creates-total
    Scenario: Two pods are two creates
      When a pod "p" that requests 1 of "example.com/gpu" is created
      And a pod "q" that requests 1 of "example.com/gpu" is created
      And the cluster settles
      Then the metric scheduler_resourceclaim_creates_total{status=success} has grown by 2
      But since Kubernetes 1.37, because scheduler and controller count creates under one name: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=success} has grown by 2

    @case:a-create-that-is-refused-counts-as-a-failure-the-one
    @KEP-5004/metrics/creates-total
    Scenario: A create that is refused counts as a failure, the one after it as a success
      When the next 1 creation of a ResourceClaim by components fails as Forbidden
      And a pod "p" that requests 1 of "example.com/gpu" is created
      And the cluster settles
      Then pod "p" runs
      And the metric scheduler_resourceclaim_creates_total{status=failure} has grown by 1
      And the metric scheduler_resourceclaim_creates_total{status=success} has grown by 1
      But since Kubernetes 1.37, because scheduler and controller count creates under one name: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=failure} has grown by 1
      And since Kubernetes 1.37, because scheduler and controller count creates under one name: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=success} has grown by 1

    @case:a-pod-for-which-no-device-is-left-asks-for-no-claim
    @KEP-5004/metrics/creates-total
    Scenario: A pod for which no device is left asks for no claim
      When a pod "p" that requests 3 of "example.com/gpu" is created
      And the cluster settles
      Then pod "p" is pending
      And the metric scheduler_resourceclaim_creates_total has grown by 0

    @case:what-the-scheduler-creates-the-controller-does-not
    @KEP-5004/metrics/creates-separate-from-controller
    Scenario: What the scheduler creates the controller does not count
      When a pod "p" that requests 1 of "example.com/gpu" is created
      And the cluster settles
      Then pod "p" runs
      And the metric resourceclaim_controller_creates_total has grown by 0

    @case:what-the-controller-creates-the-scheduler-does-not
    @KEP-5004/metrics/creates-separate-from-controller
    Scenario: What the controller creates the scheduler does not count
      Given a template "t" requesting 1 device
      When a pod "p" that uses the template "t" is created
      And the cluster settles
      Then pod "p" runs
      And the metric resourceclaim_controller_creates_total{status=success} has grown by 1
      And the metric scheduler_resourceclaim_creates_total has grown by 0
      But since Kubernetes 1.37, because scheduler and controller count creates under one name: the metric dynamic_resource_allocation_resourceclaim_creates_total{status=success} has grown by 1

  Rule: Claims that there are

    @case:a-claim-for-extended-resources-has-them-as-its
    @KEP-5004/metrics/resource-claims-source-label @KEP-5004/metrics/source-from-annotation
    Scenario: A claim for extended resources has them as its source
      When a pod "p" that requests 1 of "example.com/gpu" is created
      And the cluster settles
      Then the metric resourceclaim_controller_resource_claims{source=extended-resource, allocated=true, admin_access=false} has grown by 1
      And the metric resourceclaim_controller_resource_claims{source=resource-claim-template} has grown by 0
      But in Kubernetes 1.35, because its source is extended_resource: the metric resourceclaim_controller_resource_claims{source=extended_resource, allocated=true, admin_access=false} has grown by 1
      But in Kubernetes 1.36, because its source is extended_resource: the metric resourceclaim_controller_resource_claims{source=extended_resource, allocated=true, admin_access=false} has grown by 1
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{source=extended_resource, allocated=true, admin_access=false} has grown by 1

    @case:a-claim-that-is-made-from-a-template-has-that-as-its
    @KEP-5004/metrics/resource-claims-source-label
    Scenario: A claim that is made from a template has that as its source
      Given a template "t" requesting 1 device
      When a pod "p" that uses the template "t" is created
      And the cluster settles
      Then the metric resourceclaim_controller_resource_claims{source=resource-claim-template, allocated=true} has grown by 1
      And the metric resourceclaim_controller_resource_claims{source=extended-resource} has grown by 0
      But in Kubernetes 1.35, because its source is resource_claim_template: the metric resourceclaim_controller_resource_claims{source=resource_claim_template, allocated=true} has grown by 1
      But in Kubernetes 1.36, because its source is resource_claim_template: the metric resourceclaim_controller_resource_claims{source=resource_claim_template, allocated=true} has grown by 1
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{source=resource_claim_template, allocated=true} has grown by 1

    @case:a-claim-has-admin-access-if-one-of-its-requests-has
    @KEP-5004/metrics/resource-claims-source-label
    Scenario: A claim has admin access if one of its requests has, whichever
      Given the object
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: default, labels: {resource.k8s.io/admin-access: "true", resource.kubernetes.io/admin-access: "true"}}
        """
      When a claim "c" with the requests is created
        | request | count | admin |
        | r0      | 1     |       |
        | r1      | 1     | yes   |
      And the cluster settles
      Then the metric resourceclaim_controller_resource_claims{admin_access=true} has grown by 1
      And the metric resourceclaim_controller_resource_claims{admin_access=false} has grown by 0
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{admin_access=true} has grown by 1

    @case:a-claim-that-is-allocated-counts-so-before-a-pod-has
    @KEP-5004/metrics/resource-claims-source-label
    Scenario: A claim that is allocated counts so before a pod has reserved it
      Given a claim "c" requesting 1 device
      When the cluster settles
      And the status of the ResourceClaim "c" is updated with
        | field             | value                                                                                             |
        | status.allocation | {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}} |
      And the cluster settles
      Then the metric resourceclaim_controller_resource_claims{allocated=true} has grown by 1
      And the metric resourceclaim_controller_resource_claims{allocated=false} has grown by -1
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{allocated=true} has grown by 1

    @case:when-the-pod-is-deleted-its-claim-is-counted-no-more
    @KEP-5004/metrics/resource-claims-source-label @KEP-5004/metrics/source-from-annotation
    Scenario: When the pod is deleted its claim is counted no more
      When a pod "p" that requests 1 of "example.com/gpu" is created
      And the cluster settles
      Then pod "p" runs
      When pod "p" is deleted
      And the cluster settles
      Then the metric resourceclaim_controller_resource_claims{source=extended-resource} has grown by -1
      But in Kubernetes 1.35, because its source is extended_resource: the metric resourceclaim_controller_resource_claims{source=extended_resource} has grown by -1
      But in Kubernetes 1.36, because its source is extended_resource: the metric resourceclaim_controller_resource_claims{source=extended_resource} has grown by -1
      But since Kubernetes 1.37, because the metric has another name: the metric dynamic_resource_allocation_resource_claims{source=extended_resource} has grown by -1

@profile:kep @profile:since-1.35
Feature: What components count of claims for extended resources
  The scheduler counts the claims that it asks for, and the controller tells by their annotations what claims are for.

  Background:
    Given a device class "gpu" for "example.com/gpu"
    And the devices
      | device |
      | gpu-0  |
      | gpu-1  |

  Rule: Claims that there are

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

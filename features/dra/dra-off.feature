Feature: DynamicResourceAllocation is off in one component
  The feature gate must be on in the API server, the scheduler, the controller manager and the kubelet.

  Background:
    Given the device
      | device |
      | gpu-0  |

  @profile:kep @profile:in-1.34
  Rule: Components without DynamicResourceAllocation

    @case:off-in-scheduler
    @DRA/feature-gate/dra-off-by-default
    Scenario: With DynamicResourceAllocation off in the scheduler, no ResourceClaim is allocated
      Given the feature gate "DynamicResourceAllocation" is off in the scheduler
      And a ResourceClaim "c" requesting 1 device
      And a ResourceClaimTemplate "t" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses the ResourceClaimTemplate "t" as "gpu"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "q" is Pending
      And ResourceClaim "c" is not allocated
      And ResourceClaim "gpu of pod q" is not allocated

    @case:pods-without-claims
    @DRA/feature-gate/dra-off-by-default
    Scenario: With DynamicResourceAllocation off in the scheduler, only pods without claims run
      Given the feature gate "DynamicResourceAllocation" is off in the scheduler
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" without ResourceClaims
      And a pod "q" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Pending

    @case:turned-on-in-scheduler
    @DRA/feature-gate/dra-off-by-default
    Scenario: New pods are allocated devices once DynamicResourceAllocation is on in the scheduler
      Given the feature gate "DynamicResourceAllocation" is off in the scheduler
      And a ResourceClaim "c" requesting 1 device
      And a pod "early" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "early" is Pending
      And ResourceClaim "c" is not allocated
      When the feature gate "DynamicResourceAllocation" is turned on in the scheduler
      And a pod "p" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" is allocated exactly
        | device |
        | gpu-0  |

    @case:off-in-controller-manager
    @DRA/feature-gate/dra-off-by-default
    Scenario: With DynamicResourceAllocation off in the controller manager, no claim is generated
      Given the feature gate "DynamicResourceAllocation" is off in the controller manager
      And a ResourceClaimTemplate "t" requesting 1 device
      And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "gpu of pod p" does not exist

  @profile:in-1.34
  Rule: Writes of pods without DynamicResourceAllocation

    @case:pod-fields-dropped
    @DRA/feature-gate/dra-off-by-default @API/pod/claims
    Scenario: With DynamicResourceAllocation off in the API server, a pod is stored without claims
      Given the feature gate "DynamicResourceAllocation" is off
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          resourceClaims: [{name: c, resourceClaimName: c}]
          initContainers:
            - {name: first, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: c}]}}
          containers:
            - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: c}]}}
        """
      Then the object is stored with
        | field                    | value |
        | spec.containers[0].name  | main  |
      And the field "spec.resourceClaims" is dropped
      And the field "spec.containers[0].resources.claims" is dropped
      And the field "spec.initContainers[0].resources.claims" is dropped

    @case:stored-pod-keeps-claims
    @DRA/feature-gate/dra-off-by-default @API/gate/in-use
    Scenario: A stored pod keeps its claims after DynamicResourceAllocation is turned off
      Given the feature gate "DynamicResourceAllocation" is off
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is updated with
        | field           | value  |
        | metadata.labels | {a: b} |
      Then the field "spec.resourceClaims" is kept
      And the field "spec.containers[0].resources.claims" is kept

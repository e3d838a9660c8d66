Feature: ResourceClaims with an allocation without devices
  A ResourceClaim without requests is allocated without devices, and its allocation can be an empty object. The
  ResourceClaim is allocated nevertheless. Since 1.36, where DRADeviceBindingConditions is on by default, the
  scheduler adds an allocationTimestamp to such an allocation. The API server rejects the change, so that no
  further pod can use the ResourceClaim.

  Background:
    Given the device
      | device |
      | gpu-0  |
    And the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      status: {allocation: {}}
      """
    And a pod "p" that uses ResourceClaim "c"

  @case:pod-runs @profile:kep @profile:in-1.34 @profile:in-1.35
  @DRA/workflow/pod-lands-where-device-is @API/allocation/immutable
  Scenario: A pod runs with a ResourceClaim whose allocation is an empty object
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is reserved for pod "p"
    And ResourceClaim "c" is allocated 0 devices

  @case:not-allocated-again @profile:kep @profile:since-1.34
  @DRA/workflow/pod-lands-where-device-is @API/allocation/immutable
  Scenario: The scheduler adds no device to an allocation that is an empty object
    When scheduling of pod "p" up to Reserve is attempted
    Then after Reserve no ResourceClaim is in flight
    When the binding cycle of pod "p" runs
    Then Bind returns Success
    And after PreBind ResourceClaim "c" is reserved for pod "p"

  @case:other-claim-gets-device @profile:kep @profile:in-1.34 @profile:in-1.35
  @DRA/claim/exclusive-between-claims
  Scenario: An allocation that is an empty object leaves every device to other ResourceClaims
    Given a ResourceClaim "d" requesting 1 device
    And a pod "q" that uses ResourceClaims "c, d"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And pod "q" is Running
    And ResourceClaim "d" is allocated exactly
      | device |
      | gpu-0  |
    And ResourceClaim "c" is reserved for pods "p, q"

  @case:released @profile:kep @profile:in-1.34 @profile:in-1.35
  @DRA/claim/manual-lifecycle
  Scenario: A ResourceClaim with an empty allocation is deallocated when its pod is deleted
    When the cluster reaches a steady state
    Then ResourceClaim "c" is reserved for pod "p"
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "c" is not allocated
    And ResourceClaim "c" is reserved for no pod
    And ResourceClaim "c" has
      | field         | value |
      | metadata.name | c     |

  @case:pod-with-node @profile:kep @profile:in-1.34 @profile:in-1.35
  @DRA/pre-scheduled/controller-reserves-allocated-claims
  Scenario: An allocation that is an empty object is reserved for a pod created with nodeName
    Given a pod "q" on node "node-1" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "c" is reserved for pods "p, q"

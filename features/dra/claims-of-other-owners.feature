@profile:since-1.34
Feature: Pods whose status names a ResourceClaim that was not generated for them
  A pod that uses a ResourceClaimTemplate may use only the ResourceClaim that was generated for it. The status of
  such a pod can name another ResourceClaim, for example after the pod was created again under its name.

  Background:
    Given a node "worker-1"
    And the devices
      | device | node     |
      | gpu-0  | worker-1 |

  @case:neither-reserved-nor-run
  @DRA/pre-scheduled/kubelet-refuses-unready-claims
  Scenario Outline: A pod with nodeName does not run with a ResourceClaim that another object owns
    Given the objects
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0021}
      spec:
        nodeName: worker-1
        resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
      status:
        phase: Pending
        resourceClaimStatuses: [{name: gpu, resourceClaimName: c}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      status:
        allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}}
        reservedFor: [{resource: <resource>, apiGroup: <group>, name: <name>, uid: <uid>}]
      """
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "c" has
      | field                      | value  |
      | status.reservedFor[0].name | <name> |
      | status.reservedFor[1]      |        |

    Examples:
      | resource | group       | name  | uid                                  |
      | pods     | ''          | p     | 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0021 |
      | jobs     | example.com | other | 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0022 |

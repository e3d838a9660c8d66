@profile:kep @profile:since-1.35
Feature: Evictions that a change of the ResourceClaim prevents
  A pod is evicted only while its ResourceClaim is allocated a tainted device and reserved for the pod. A change
  before the end of tolerationSeconds cancels the eviction.

  Background:
    Given the device
      | device |
      | gpu-0  |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0031}
      spec:
        nodeName: node-1
        resourceClaims: [{name: gpu, resourceClaimName: c}]
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
      status: {phase: Running}
      """

  Rule: A taint that is tolerated for a while

    Background:
      Given the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
        spec:
          devices:
            requests:
              - name: r0
                exactly:
                  deviceClassName: any
                  allocationMode: ExactCount
                  count: 1
                  tolerations: [{key: broken, operator: Exists, effect: NoExecute, tolerationSeconds: 60}]
        status:
          allocation:
            devices:
              results:
                - request: r0
                  driver: dra.example.com
                  pool: pool-1
                  device: gpu-0
                  tolerations: [{key: broken, operator: Exists, effect: NoExecute, tolerationSeconds: 60}]
          reservedFor: [{resource: pods, name: p, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0031}]
        """
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" is Running

    @case:unchanged-claim
    @DRA/toleration/delays-eviction
    Scenario: A pod is evicted after tolerationSeconds if its ResourceClaim does not change
      When 60 seconds pass
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:claim-deallocated
    @DRA/eviction/only-affected-pods
    Scenario: A pod is not evicted if its claim is deallocated before tolerationSeconds have passed
      When the status of ResourceClaim "c" is updated with
        | field              | value |
        | status.allocation  | null  |
        | status.reservedFor | null  |
      And 60 seconds pass
      And the cluster reaches a steady state
      Then pod "p" has
        | field                      | value   |
        | metadata.deletionTimestamp |         |
        | status.phase               | Running |

    @case:claim-deleted
    @DRA/eviction/only-affected-pods
    Scenario: A pod is not evicted if its claim is deleted before tolerationSeconds have passed
      When ResourceClaim "c" is deleted
      And ResourceClaim "c" is updated with
        | field               | value |
        | metadata.finalizers | null  |
      And 60 seconds pass
      And the cluster reaches a steady state
      Then pod "p" has
        | field                      | value   |
        | metadata.deletionTimestamp |         |
        | status.phase               | Running |

  Rule: A ResourceClaim that is reserved for another object

    @case:other-uid
    @DRA/eviction/only-affected-pods
    Scenario Outline: A pod is not evicted if its claim is reserved for another object with the name of the pod
      Given the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: c
          namespace: default
          deletionTimestamp: '2026-01-01T00:00:00Z'
          finalizers: [resource.kubernetes.io/delete-protection]
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}}
          reservedFor: [{apiGroup: example.com, resource: <resource>, name: <name>, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0039}]
        """
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" has
        | field                      | value   |
        | metadata.deletionTimestamp |         |
        | status.phase               | Running |

      Examples:
        | resource | name |
        | jobs     | p    |
        | pods     | p    |

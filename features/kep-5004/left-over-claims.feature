Feature: A special claim of an earlier attempt
  The scheduler finds the claim that it has made for a pod before. One that is still valid is used again, any other is
  deleted, and the next attempt makes a new one.

  Background:
    Given a node "n1"
    And a node "n3"
    And a device class "gpu" for "example.com/gpu" created at "2020-01-01T10:00:00Z"
    And the devices
      | device | node | pool |
      | gpu-0  | n1   | n1   |
      | gpu-1  | n1   | n1   |
    And the device
      | device | node | pool |
      | gpu-0  | n3   | n3   |

  @case:a-claim-that-is-valid-is-used-again-on-its-node
  @KEP-5004/failure-handling/valid-claim-reused @KEP-5004/scheduling-phase/prefilter-looks-up-existing-claim
  @KEP-5004/failure-handling/node-selector-mismatch
  Scenario: A claim that is valid is used again on its node
    Given the fixture "left-over-special-claim"
    When the cluster settles
    Then pod "p" runs on node "n1"
    And claim "p-extended-resources-8s27z" gets exactly
      | device | pool |
      | gpu-1  | n1   |
    And claim "p-extended-resources-8s27z" is reserved for pod "p"
    And the Pod "p" has
      | field                                                | value                      |
      | status.extendedResourceClaimStatus.resourceClaimName | p-extended-resources-8s27z |
    And the special claim of pod "p" serves
      | container | resource        |
      | main      | example.com/gpu |
    But since Kubernetes 1.34, because a claim of an earlier attempt is never used again: pod "p" runs
    But since Kubernetes 1.34, because a claim of an earlier attempt is never used again: the ResourceClaim "p-extended-resources-8s27z" does not exist
    But since Kubernetes 1.34, because a claim of an earlier attempt is never used again: claim "extended resources of pod p" gets 1 device

  @case:a-claim-is-used-again-that-was-made-for-an-init
  @KEP-5004/failure-handling/valid-claim-reused @KEP-5004/scheduling-phase/prefilter-looks-up-existing-claim
  Scenario: A claim is used again that was made for an init container
    Given the objects
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11}
      spec:
        initContainers:
          - name: before
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        containers: [{name: main, image: registry.k8s.io/pause:3.10}]
      status:
        phase: Pending
        extendedResourceClaimStatus:
          resourceClaimName: p-extended-resources-8s27z
          requestMappings:
            - {containerName: before, resourceName: example.com/gpu, requestName: container-0-request-0}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: p-extended-resources-8s27z
        namespace: default
        uid: 1b0ff4dd-2fb9-4a50-9f0a-0a6dfb0d8c27
        finalizers: [resource.kubernetes.io/delete-protection]
        annotations: {resource.kubernetes.io/extended-resource-claim: "true"}
        ownerReferences:
          - {apiVersion: v1, kind: Pod, name: p, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11, controller: true, blockOwnerDeletion: true}
      spec:
        devices:
          requests:
            - {name: container-0-request-0, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}
      status:
        allocation:
          devices:
            results:
              - {request: container-0-request-0, driver: dra.example.com, pool: n1, device: gpu-1}
          nodeSelector:
            nodeSelectorTerms:
              - matchFields: [{key: metadata.name, operator: In, values: [n1]}]
        reservedFor:
          - {resource: pods, name: p, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11}
      """
    When the cluster settles
    Then pod "p" runs on node "n1"
    And claim "p-extended-resources-8s27z" gets exactly
      | device | pool |
      | gpu-1  | n1   |
    But since Kubernetes 1.34, because a claim of an earlier attempt is never used again: pod "p" runs
    But since Kubernetes 1.34, because a claim of an earlier attempt is never used again: the ResourceClaim "p-extended-resources-8s27z" does not exist

  @case:a-claim-is-used-again-by-a-pod-that-has-a-claim-of
  @KEP-5004/failure-handling/valid-claim-reused @KEP-5004/scheduling-phase/prefilter-looks-up-existing-claim
  Scenario: A claim is used again by a pod that has a claim of its own beside it
    Given a claim "own" requesting 1 device of class "gpu"
    And the objects
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11}
      spec:
        resourceClaims: [{name: own, resourceClaimName: own}]
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {claims: [{name: own}], limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
      status: {phase: Pending}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: p-extended-resources-8s27z
        namespace: default
        uid: 1b0ff4dd-2fb9-4a50-9f0a-0a6dfb0d8c27
        finalizers: [resource.kubernetes.io/delete-protection]
        annotations: {resource.kubernetes.io/extended-resource-claim: "true"}
        ownerReferences:
          - {apiVersion: v1, kind: Pod, name: p, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11, controller: true, blockOwnerDeletion: true}
      spec:
        devices:
          requests:
            - {name: container-0-request-0, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}
      status:
        allocation:
          devices:
            results:
              - {request: container-0-request-0, driver: dra.example.com, pool: n1, device: gpu-1}
          nodeSelector:
            nodeSelectorTerms:
              - matchFields: [{key: metadata.name, operator: In, values: [n1]}]
        reservedFor:
          - {resource: pods, name: p, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11}
      """
    When the cluster settles
    Then pod "p" runs on node "n1"
    And claim "p-extended-resources-8s27z" gets exactly
      | device | pool |
      | gpu-1  | n1   |
    And claim "own" gets exactly
      | device | pool |
      | gpu-0  | n1   |
    But since Kubernetes 1.34, because a claim of an earlier attempt is never used again: pod "p" runs
    But since Kubernetes 1.34, because a claim of an earlier attempt is never used again: the ResourceClaim "p-extended-resources-8s27z" does not exist
    But since Kubernetes 1.34, because a claim of an earlier attempt is never used again: claim "extended resources of pod p" gets 1 device

  @case:a-claim-is-used-again-although-an-administrator
  @KEP-5004/failure-handling/valid-claim-reused
  Scenario: A claim is used again although an administrator looks at its device
    Given the fixture "left-over-special-claim"
    And claim "watch" already holds
      | device | pool | admin |
      | gpu-1  | n1   | yes   |
    When the cluster settles
    Then pod "p" runs on node "n1"
    And claim "p-extended-resources-8s27z" gets exactly
      | device | pool |
      | gpu-1  | n1   |
    But since Kubernetes 1.34, because a claim of an earlier attempt is never used again: pod "p" runs
    But since Kubernetes 1.34, because a claim of an earlier attempt is never used again: the ResourceClaim "p-extended-resources-8s27z" does not exist

  @case:a-claim-whose-node-is-closed-is-deleted-and-the-pod
  @KEP-5004/failure-handling/node-selector-mismatch @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
  Scenario: A claim whose node is closed is deleted, and the pod gets another one elsewhere
    Given the fixture "left-over-special-claim"
    When the Node "n1" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And the cluster settles
    Then pod "p" runs on node "n3"
    And the ResourceClaim "p-extended-resources-8s27z" does not exist
    And claim "extended resources of pod p" gets exactly
      | device | pool |
      | gpu-0  | n3   |

  @case:a-claim-that-is-deleted-leaves-the-claims-that-the
  @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
  Scenario: A claim that is deleted leaves the claims that the pod names alone
    Given the fixture "left-over-special-claim"
    And a claim "own" requesting 1 device of class "gpu"
    When the Node "n1" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And the cluster settles
    Then the ResourceClaim "own" has
      | field         | value |
      | metadata.name | own   |
    And the ResourceClaim "p-extended-resources-8s27z" does not exist

  @case:a-claim-of-a-class-that-no-longer-serves-the
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: A claim of a class that no longer serves the resource is replaced
    Given the fixture "left-over-special-claim"
    When a device class "newer" for "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And the ResourceClaim "p-extended-resources-8s27z" does not exist
    And the ResourceClaim "extended resources of pod p" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | newer |

  @case:a-claim-whose-device-is-gone-is-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: A claim whose device is gone is replaced
    Given the fixture "left-over-special-claim"
    When the driver publishes the device
      | device | node | pool |
      | gpu-0  | n1   | n1   |
    And the cluster settles
    Then pod "p" runs
    And the ResourceClaim "p-extended-resources-8s27z" does not exist
    And claim "extended resources of pod p" gets 1 device

  @case:a-claim-whose-device-has-been-tainted-since-is
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: A claim whose device has been tainted since is replaced
    Given the fixture "left-over-special-claim"
    And the device taint rule "r"
      | driver          | pool | device | taint             |
      | dra.example.com | n1   | gpu-1  | broken:NoSchedule |
    When the cluster settles
    Then pod "p" runs
    And the ResourceClaim "p-extended-resources-8s27z" does not exist
    And claim "extended resources of pod p" gets exactly
      | device |
      | gpu-0  |

  @case:a-claim-that-is-not-allocated-is-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: A claim that is not allocated is replaced
    Given the fixture "left-over-special-claim"
    When the status of the ResourceClaim "p-extended-resources-8s27z" is updated with
      | field              | value |
      | status.allocation  |       |
      | status.reservedFor |       |
    And the cluster settles
    Then pod "p" runs
    And the ResourceClaim "p-extended-resources-8s27z" does not exist
    And claim "extended resources of pod p" gets 1 device

  @case:a-claim-with-another-count-than-the-pod-requests-is
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: A claim with another count than the pod requests is replaced
    Given the fixture "left-over-special-claim"
    And a pod "q" without claims
    When pod "p" is deleted
    And this object is created
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: 2}, requests: {example.com/gpu: 2}}
      """
    And the cluster settles
    Then pod "p" runs on node "n1"
    And the ResourceClaim "p-extended-resources-8s27z" does not exist
    And claim "extended resources of pod p" gets 2 devices

  @case:a-claim-whose-device-another-claim-holds-is-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: A claim whose device another claim holds is replaced, and the other claim keeps it
    Given the fixture "left-over-special-claim"
    And claim "other" already holds
      | device | pool |
      | gpu-1  | n1   |
    When the cluster settles
    Then pod "p" runs
    And the ResourceClaim "p-extended-resources-8s27z" does not exist
    And claim "extended resources of pod p" gets exactly
      | device |
      | gpu-0  |
    And claim "other" gets exactly
      | device | pool |
      | gpu-1  | n1   |

  @case:a-claim-that-a-user-has-deleted-is-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: A claim that a user has deleted is replaced
    Given the fixture "left-over-special-claim"
    When claim "p-extended-resources-8s27z" is deleted
    And the cluster settles
    Then pod "p" runs
    And the ResourceClaim "p-extended-resources-8s27z" does not exist
    And the ResourceClaim "extended resources of pod p" has
      | field                      | value |
      | metadata.deletionTimestamp | null  |

  @case:a-pod-runs-with-a-claim-that-is-held-by-its
  @KEP-5004/failure-handling/prebind-finalizer-update-fails
  Scenario: A pod runs with a claim that is held by its finalizer, though an attempt has left one that is not
    Given the fixture "left-over-special-claim"
    When the ResourceClaim "p-extended-resources-8s27z" is updated with
      | field               | value |
      | metadata.finalizers | null  |
    And the cluster settles
    Then pod "p" runs
    And the ResourceClaim "extended resources of pod p" has
      | field               | value                                      |
      | metadata.finalizers | [resource.kubernetes.io/delete-protection] |

  @case:a-claim-that-is-deleted-keeps-the-finalizer-of
  @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
  Scenario: A claim that is deleted keeps the finalizer of somebody else, and goes when that is removed
    Given the fixture "left-over-special-claim"
    When the ResourceClaim "p-extended-resources-8s27z" is updated with
      | field               | value                                                         |
      | metadata.finalizers | [example.com/keeps, resource.kubernetes.io/delete-protection] |
    And the Node "n1" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And the cluster settles
    Then the ResourceClaim "p-extended-resources-8s27z" has
      | field               | value               |
      | metadata.finalizers | [example.com/keeps] |
    When the ResourceClaim "p-extended-resources-8s27z" is updated with
      | field               | value |
      | metadata.finalizers | null  |
    And the cluster settles
    Then the ResourceClaim "p-extended-resources-8s27z" does not exist
    And pod "p" runs on node "n3"

  @case:a-claim-that-cannot-be-deleted-at-first-is-deleted
  @KEP-5004/failure-handling/postfilter-failure-is-error
  Scenario: A claim that cannot be deleted at first is deleted by a later attempt
    Given the fixture "left-over-special-claim"
    When the Node "n1" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And the next 2 deletions of a ResourceClaim by components fail as InternalError
    And the cluster settles
    Then pod "p" runs on node "n3"
    And the ResourceClaim "p-extended-resources-8s27z" does not exist

  @case:a-pod-whose-claim-is-deleted-and-that-fits-nowhere
  @KEP-5004/pod-status/cleared-on-cleanup @KEP-5004/failure-handling/unreserve-order
  Scenario: A pod whose claim is deleted and that fits nowhere names no claim
    Given the fixture "left-over-special-claim"
    When the Node "n1" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And the Node "n3" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And the cluster settles
    Then pod "p" is pending
    And pod "p" has no special claim
    But since Kubernetes 1.34, because the status of a pod goes on naming a special claim that was deleted: pod "p" is pending
    But since Kubernetes 1.34, because the status of a pod goes on naming a special claim that was deleted: the ResourceClaim "extended resources of pod p" does not exist

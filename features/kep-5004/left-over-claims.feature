Feature: Extended-resource claims of an earlier attempt
  The scheduler finds the extended-resource claim that it created for the pod in an earlier attempt. A valid claim is
  reused. Any other claim is deleted, and the next attempt creates a new one.

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

  @case:valid-claim-reused
  @KEP-5004/failure-handling/valid-claim-reused @KEP-5004/scheduling-phase/prefilter-looks-up-existing-claim
  @KEP-5004/failure-handling/node-selector-mismatch
  Scenario: A valid extended-resource claim of an earlier attempt is reused on its node
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
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: pod "p" runs
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: the ResourceClaim "p-extended-resources-8s27z" does not exist
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: claim "extended resources of pod p" gets 1 device

  @case:init-container-claim-reused
  @KEP-5004/failure-handling/valid-claim-reused @KEP-5004/scheduling-phase/prefilter-looks-up-existing-claim
  Scenario: An extended-resource claim of an init container is reused
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
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: pod "p" runs
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: the ResourceClaim "p-extended-resources-8s27z" does not exist

  @case:claim-reused-with-pod-claim
  @KEP-5004/failure-handling/valid-claim-reused @KEP-5004/scheduling-phase/prefilter-looks-up-existing-claim
  Scenario: An extended-resource claim is reused by a pod that also has a ResourceClaim
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
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: pod "p" runs
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: the ResourceClaim "p-extended-resources-8s27z" does not exist
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: claim "extended resources of pod p" gets 1 device

  @case:claim-reused-despite-admin-access
  @KEP-5004/failure-handling/valid-claim-reused
  Scenario: An extended-resource claim is reused if its device is also allocated with adminAccess
    Given the fixture "left-over-special-claim"
    And claim "watch" already holds
      | device | pool | admin |
      | gpu-1  | n1   | yes   |
    When the cluster settles
    Then pod "p" runs on node "n1"
    And claim "p-extended-resources-8s27z" gets exactly
      | device | pool |
      | gpu-1  | n1   |
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: pod "p" runs
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: the ResourceClaim "p-extended-resources-8s27z" does not exist

  @case:node-cordoned-claim-replaced
  @KEP-5004/failure-handling/node-selector-mismatch @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
  Scenario: An extended-resource claim for a cordoned node is replaced by one for another node
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

  @case:other-claim-kept
  @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
  Scenario: Another ResourceClaim is kept when an extended-resource claim is deleted
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

  @case:newer-class-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim is replaced if a newer DeviceClass backs the resource
    Given the fixture "left-over-special-claim"
    When a device class "newer" for "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And the ResourceClaim "p-extended-resources-8s27z" does not exist
    And the ResourceClaim "extended resources of pod p" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | newer |

  @case:device-gone-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim is replaced if its device no longer exists
    Given the fixture "left-over-special-claim"
    When the driver publishes the device
      | device | node | pool |
      | gpu-0  | n1   | n1   |
    And the cluster settles
    Then pod "p" runs
    And the ResourceClaim "p-extended-resources-8s27z" does not exist
    And claim "extended resources of pod p" gets 1 device

  @case:device-tainted-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim is replaced if its device has a NoSchedule taint
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

  @case:unallocated-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim without an allocation is replaced
    Given the fixture "left-over-special-claim"
    When the status of the ResourceClaim "p-extended-resources-8s27z" is updated with
      | field              | value |
      | status.allocation  |       |
      | status.reservedFor |       |
    And the cluster settles
    Then pod "p" runs
    And the ResourceClaim "p-extended-resources-8s27z" does not exist
    And claim "extended resources of pod p" gets 1 device

  @case:recreated-pod-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim is replaced for a recreated pod that requests more devices
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

  @case:device-in-use-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim is replaced if its device is allocated to another claim
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

  @case:deleted-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim that a user has deleted is replaced
    Given the fixture "left-over-special-claim"
    When claim "p-extended-resources-8s27z" is deleted
    And the cluster settles
    Then pod "p" runs
    And the ResourceClaim "p-extended-resources-8s27z" does not exist
    And the ResourceClaim "extended resources of pod p" has
      | field                      | value |
      | metadata.deletionTimestamp | null  |

  @case:claim-without-finalizer
  @KEP-5004/failure-handling/prebind-finalizer-update-fails
  Scenario: A pod runs with a claim that has the finalizer although the earlier claim lacks it
    Given the fixture "left-over-special-claim"
    When the ResourceClaim "p-extended-resources-8s27z" is updated with
      | field               | value |
      | metadata.finalizers | null  |
    And the cluster settles
    Then pod "p" runs
    And the ResourceClaim "extended resources of pod p" has
      | field               | value                                      |
      | metadata.finalizers | [resource.kubernetes.io/delete-protection] |

  @case:foreign-finalizer-kept
  @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
  Scenario: A deleted extended-resource claim remains until its third-party finalizer is removed
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

  @case:delete-fails-at-first
  @KEP-5004/failure-handling/postfilter-failure-is-error
  Scenario: An extended-resource claim is deleted by a later attempt if deletes fail at first
    Given the fixture "left-over-special-claim"
    When the Node "n1" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And the next 2 deletions of a ResourceClaim by components fail as InternalError
    And the cluster settles
    Then pod "p" runs on node "n3"
    And the ResourceClaim "p-extended-resources-8s27z" does not exist

  @case:pod-status-cleared
  @KEP-5004/pod-status/cleared-on-cleanup @KEP-5004/failure-handling/unreserve-order
  Scenario: The status of a Pending pod names no claim after its extended-resource claim is deleted
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
    But since Kubernetes 1.34, because the pod status still names the deleted extended-resource claim: pod "p" is pending
    But since Kubernetes 1.34, because the pod status still names the deleted extended-resource claim: the ResourceClaim "extended resources of pod p" does not exist

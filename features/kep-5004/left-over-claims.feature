Feature: Extended-resource claims left over from earlier scheduling attempts
  The scheduler finds the extended-resource claim that it created for the pod in an earlier attempt. A valid claim is
  reused. Any other claim is deleted, and the next attempt creates a new one.

  Background:
    Given a node "n1"
    And a node "n3"
    And a DeviceClass "gpu" for extended resource "example.com/gpu" created at "2020-01-01T10:00:00Z"
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
  Scenario: A valid extended-resource claim of an earlier scheduling attempt is reused on its node
    Given the fixture "left-over-extended-resource-claim"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "n1"
    And ResourceClaim "p-extended-resources-8s27z" is allocated exactly
      | device | pool |
      | gpu-1  | n1   |
    And ResourceClaim "p-extended-resources-8s27z" is reserved for pod "p"
    And pod "p" has
      | field                                                | value                      |
      | status.extendedResourceClaimStatus.resourceClaimName | p-extended-resources-8s27z |
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: pod "p" is Running
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: ResourceClaim "p-extended-resources-8s27z" does not exist
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: ResourceClaim "extended resources of pod p" is allocated 1 device

  @case:reused-claim-named-in-status
  @KEP-5004/failure-handling/valid-claim-reused @KEP-5004/pod-status/set-after-binding
  @profile:kep
  Scenario: The pod status names a reused extended-resource claim that it did not name before
    Given the objects
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11}
      spec:
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
      status: {phase: Pending}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: p-extended-resources-8s27z
        namespace: default
        annotations: {resource.kubernetes.io/extended-resource-claim: p}
        finalizers: [resource.kubernetes.io/delete-protection]
        ownerReferences:
          - {apiVersion: v1, kind: Pod, name: p, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11, controller: true, blockOwnerDeletion: true}
      spec:
        devices:
          requests: [{name: container-0-request-0, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]
      status:
        allocation:
          devices:
            results: [{request: container-0-request-0, driver: dra.example.com, pool: n1, device: gpu-1}]
          nodeSelector:
            nodeSelectorTerms:
              - matchFields: [{key: metadata.name, operator: In, values: [n1]}]
        reservedFor: [{resource: pods, name: p, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11}]
      """
    When the cluster reaches a steady state
    Then pod "p" is Running on node "n1"
    And pod "p" has
      | field                                                | value                      |
      | status.extendedResourceClaimStatus.resourceClaimName | p-extended-resources-8s27z |
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |

  @case:init-container-claim-reused
  @KEP-5004/failure-handling/valid-claim-reused @KEP-5004/scheduling-phase/prefilter-looks-up-existing-claim
  Scenario: A left-over extended-resource claim for an init container is reused
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
    When the cluster reaches a steady state
    Then pod "p" is Running on node "n1"
    And ResourceClaim "p-extended-resources-8s27z" is allocated exactly
      | device | pool |
      | gpu-1  | n1   |
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: pod "p" is Running
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: ResourceClaim "p-extended-resources-8s27z" does not exist

  @case:claim-reused-with-pod-claim
  @KEP-5004/failure-handling/valid-claim-reused @KEP-5004/scheduling-phase/prefilter-looks-up-existing-claim
  Scenario: A left-over extended-resource claim is reused if the pod also has its own ResourceClaim
    Given a ResourceClaim "own" requesting 1 device of class "gpu"
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
    When the cluster reaches a steady state
    Then pod "p" is Running on node "n1"
    And ResourceClaim "p-extended-resources-8s27z" is allocated exactly
      | device | pool |
      | gpu-1  | n1   |
    And ResourceClaim "own" is allocated exactly
      | device | pool |
      | gpu-0  | n1   |
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: pod "p" is Running
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: ResourceClaim "p-extended-resources-8s27z" does not exist
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: ResourceClaim "extended resources of pod p" is allocated 1 device

  @case:claim-reused-despite-admin-access
  @KEP-5004/failure-handling/valid-claim-reused
  Scenario: A left-over extended-resource claim is reused even if adminAccess requests use its device
    Given the fixture "left-over-extended-resource-claim"
    And ResourceClaim "watch" is already allocated
      | device | pool | adminAccess |
      | gpu-1  | n1   | yes         |
    When the cluster reaches a steady state
    Then pod "p" is Running on node "n1"
    And ResourceClaim "p-extended-resources-8s27z" is allocated exactly
      | device | pool |
      | gpu-1  | n1   |
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: pod "p" is Running
    But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: ResourceClaim "p-extended-resources-8s27z" does not exist

  @case:node-cordoned-claim-replaced
  @KEP-5004/failure-handling/node-selector-mismatch @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
  Scenario: An extended-resource claim for a cordoned node is replaced by a claim for another node
    Given the fixture "left-over-extended-resource-claim"
    When node "n1" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And the cluster reaches a steady state
    Then pod "p" is Running on node "n3"
    And ResourceClaim "p-extended-resources-8s27z" does not exist
    And ResourceClaim "extended resources of pod p" is allocated exactly
      | device | pool |
      | gpu-0  | n3   |

  @case:newer-class-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim is replaced if a newer DeviceClass backs the resource
    Given the fixture "left-over-extended-resource-claim"
    When a DeviceClass "newer" for extended resource "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "p-extended-resources-8s27z" does not exist
    And ResourceClaim "extended resources of pod p" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | newer |

  @case:device-gone-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim is replaced if its device no longer exists
    Given the fixture "left-over-extended-resource-claim"
    When the driver publishes the device
      | device | node | pool |
      | gpu-0  | n1   | n1   |
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "p-extended-resources-8s27z" does not exist
    And ResourceClaim "extended resources of pod p" is allocated 1 device

  @case:one-of-two-devices-gone
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario Outline: An extended-resource claim is replaced if one of its two devices no longer exists
    Given the objects
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11}
      spec:
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: 2}, requests: {example.com/gpu: 2}}
      status:
        phase: Pending
        extendedResourceClaimStatus:
          resourceClaimName: p-extended-resources-8s27z
          requestMappings:
            - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
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
            - {name: container-0-request-0, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 2}}
      status:
        allocation:
          devices:
            results:
              - {request: container-0-request-0, driver: dra.example.com, pool: n1, device: <first>}
              - {request: container-0-request-0, driver: dra.example.com, pool: n1, device: <second>}
          nodeSelector:
            nodeSelectorTerms:
              - matchFields: [{key: metadata.name, operator: In, values: [n1]}]
        reservedFor:
          - {resource: pods, name: p, uid: 6f6dd3b4-6b0f-4d49-9d6e-6a7e2b3f1c11}
      """
    When the cluster reaches a steady state
    Then pod "p" is Running on node "n1"
    And ResourceClaim "p-extended-resources-8s27z" does not exist
    And ResourceClaim "extended resources of pod p" is allocated exactly
      | device |
      | gpu-0  |
      | gpu-1  |

    Examples:
      | first | second |
      | gpu-0 | gpu-9  |
      | gpu-9 | gpu-0  |
      | gone  | gpu-0  |

  @case:device-tainted-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim is replaced if its device has a NoSchedule taint
    Given the fixture "left-over-extended-resource-claim"
    And a DeviceTaintRule "r" with
      | driver          | pool | device | taint             |
      | dra.example.com | n1   | gpu-1  | broken:NoSchedule |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "p-extended-resources-8s27z" does not exist
    And ResourceClaim "extended resources of pod p" is allocated exactly
      | device |
      | gpu-0  |

  @case:unallocated-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim without an allocation is replaced
    Given the fixture "left-over-extended-resource-claim"
    When the status of ResourceClaim "p-extended-resources-8s27z" is updated with
      | field              | value |
      | status.allocation  |       |
      | status.reservedFor |       |
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "p-extended-resources-8s27z" does not exist
    And ResourceClaim "extended resources of pod p" is allocated 1 device

  @case:recreated-pod-claim-replaced
  @KEP-5004/lifecycle/deleted-with-pod
  Scenario: An extended-resource claim is replaced for a recreated pod that requests more devices
    Given the fixture "left-over-extended-resource-claim"
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
    And the cluster reaches a steady state
    Then pod "p" is Running on node "n1"
    And ResourceClaim "p-extended-resources-8s27z" does not exist
    And ResourceClaim "extended resources of pod p" is allocated 2 devices

  @case:device-in-use-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim is replaced if its device is allocated to another claim
    Given the fixture "left-over-extended-resource-claim"
    And ResourceClaim "other" is already allocated
      | device | pool |
      | gpu-1  | n1   |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "p-extended-resources-8s27z" does not exist
    And ResourceClaim "extended resources of pod p" is allocated exactly
      | device |
      | gpu-0  |
    And ResourceClaim "other" is allocated exactly
      | device | pool |
      | gpu-1  | n1   |

  @case:deleted-claim-replaced
  @KEP-5004/failure-handling/invalid-claim-unschedulable
  Scenario: An extended-resource claim that a user has deleted is replaced
    Given the fixture "left-over-extended-resource-claim"
    When ResourceClaim "p-extended-resources-8s27z" is deleted
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "p-extended-resources-8s27z" does not exist
    And ResourceClaim "extended resources of pod p" has
      | field                      | value |
      | metadata.deletionTimestamp | null  |

  @case:claim-without-finalizer
  @KEP-5004/lifecycle/failed-pod-retry-keeps-one-claim
  Scenario: A pod gets an extended-resource claim although its earlier claim had no finalizer
    Given the fixture "left-over-extended-resource-claim"
    When ResourceClaim "p-extended-resources-8s27z" is updated with
      | field               | value |
      | metadata.finalizers | null  |
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated
    But since Kubernetes 1.34, because the document names no finalizer: pod "p" is Running
    But since Kubernetes 1.34, because the document names no finalizer: ResourceClaim "extended resources of pod p" has
      | field               | value                                      |
      | metadata.finalizers | [resource.kubernetes.io/delete-protection] |

  @case:foreign-finalizer-kept
  @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
  Scenario: A deleted extended-resource claim remains until its third-party finalizer is removed
    Given the fixture "left-over-extended-resource-claim"
    When ResourceClaim "p-extended-resources-8s27z" is updated with
      | field               | value                                                         |
      | metadata.finalizers | [example.com/keeps, resource.kubernetes.io/delete-protection] |
    And node "n1" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And the cluster reaches a steady state
    Then ResourceClaim "p-extended-resources-8s27z" has
      | field               | value               |
      | metadata.finalizers | [example.com/keeps] |
    When ResourceClaim "p-extended-resources-8s27z" is updated with
      | field               | value |
      | metadata.finalizers | null  |
    And the cluster reaches a steady state
    Then ResourceClaim "p-extended-resources-8s27z" does not exist
    And pod "p" is Running on node "n3"

  @case:delete-fails-at-first
  @KEP-5004/failure-handling/postfilter-failure-is-error
  Scenario: A later scheduling attempt deletes the extended-resource claim if earlier deletes failed
    Given the fixture "left-over-extended-resource-claim"
    When node "n1" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And the next 2 deletions of a ResourceClaim by components fail with InternalError
    And the cluster reaches a steady state
    Then pod "p" is Running on node "n3"
    And ResourceClaim "p-extended-resources-8s27z" does not exist

  @case:pod-status-cleared
  @KEP-5004/pod-status/cleared-on-cleanup
  Scenario: The status of a Pending pod names no claim after its extended-resource claim is deleted
    Given the fixture "left-over-extended-resource-claim"
    When node "n1" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And node "n3" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim
    But since Kubernetes 1.34, because the pod status still names the deleted extended-resource claim: pod "p" is Pending
    But since Kubernetes 1.34, because the pod status still names the deleted extended-resource claim: ResourceClaim "extended resources of pod p" does not exist

Feature: Eviction of pods from tainted devices
  A NoExecute taint evicts running pods that use the device: the device taint eviction controller deletes them.
  A toleration in the ResourceClaim prevents the eviction, or delays it counted from the time the taint was
  added.

  Background:
    Given the devices
      | device |
      | gpu-0  |
      | gpu-1  |

  @profile:kep @profile:since-1.34
  Rule: Pods affected by a NoExecute taint

    @case:both-pods-of-the-claim
    @DRA/eviction/noexecute-deletes-running-pods @DRA/eviction/by-device-taint-controller
    Scenario: A NoExecute taint evicts every pod that uses the ResourceClaim of the device
      Given a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running
      When the driver updates the device "gpu-1" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" does not exist
      And ResourceClaim "c" is not allocated

    @case:one-of-two-claims-tainted
    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A pod is evicted if the device of one of its two ResourceClaims has a NoExecute taint
      Given a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "d" requesting 1 device
      And a pod "p" that uses ResourceClaims "c, d"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-1" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And ResourceClaim "c" is not allocated
      And ResourceClaim "d" is not allocated

    @case:generated-claim-deleted
    @DRA/eviction/noexecute-deletes-running-pods @DRA/template/claim-bound-to-pod-lifetime
    Scenario: The generated ResourceClaim of an evicted pod is deleted
      Given a ResourceClaimTemplate "t" requesting 2 devices
      And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-1" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And ResourceClaim "gpu of pod p" does not exist

    @case:extended-resource-pod
    @DRA/eviction/noexecute-deletes-running-pods @DRA/taint/applies-to-all-pods-of-the-claim
    Scenario: A NoExecute taint evicts a pod that uses the device as an extended resource
      Given the device
        | device | attribute kind |
        | gpu-2  | string large   |
      And a DeviceClass "large" for extended resource "example.com/large" with the selector
        """
        "kind" in device.attributes["dra.example.com"]
        """
      And a DeviceClass "gpu" for extended resource "example.com/gpu"
      And a pod "p" that requests 1 of "example.com/large"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "extended resources of pod p" is allocated 1 device
      When a pod "q" that requests 1 of "example.com/gpu" is created
      And the cluster reaches a steady state
      Then ResourceClaim "extended resources of pod q" is allocated 1 device
      When the driver updates the device "gpu-2" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" is Running
      But since Kubernetes 1.34, because the eviction controller checks only claims that the pod spec names: pod "p" is Running
      But since Kubernetes 1.34, because the eviction controller checks only claims that the pod spec names: pod "q" is Running

    @case:extended-resource-beside-claim
    @DRA/eviction/noexecute-deletes-running-pods @DRA/taint/applies-to-all-pods-of-the-claim
    Scenario: A NoExecute taint on the device of an extended resource evicts a pod with a ResourceClaim
      Given the device
        | device | attribute kind |
        | gpu-2  | string large   |
      And a DeviceClass "large" for extended resource "example.com/large" with the selector
        """
        "kind" in device.attributes["dra.example.com"]
        """
      And a ResourceClaim "c" with the request
        | selector                                          |
        | !("kind" in device.attributes["dra.example.com"]) |
      And a pod "p" that uses ResourceClaim "c" with the container
        | container | request example.com/large | limit example.com/large | claims |
        | main      | 1                         | 1                       | c      |
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-2" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      But since Kubernetes 1.34, because the eviction controller checks only claims that the pod spec names: pod "p" is Running

    @case:taint-before-controller
    @DRA/eviction/by-device-taint-controller
    Scenario: A NoExecute taint evicts pods even if it was set before the eviction controller started
      Given the feature gate "DRADeviceTaints" is off in the controller manager
      And a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the feature gate "DRADeviceTaints" is turned on in the controller manager
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:two-taint-rules
    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: Each of two DeviceTaintRules with a NoExecute taint evicts the pod of its device
      Given a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "d" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      And a DeviceTaintRule "r" with
        | driver             | device | taint            |
        | nobody.example.com | gpu-0  | broken:NoExecute |
      And a DeviceTaintRule "s" with
        | driver             | device | taint            |
        | nobody.example.com | gpu-1  | broken:NoExecute |
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running
      When DeviceTaintRule "r" is updated with
        | field                      | value           |
        | spec.deviceSelector.driver | dra.example.com |
      And DeviceTaintRule "s" is updated with
        | field                      | value           |
        | spec.deviceSelector.driver | dra.example.com |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" does not exist

    @case:taint-rules-off-driver-taint
    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A NoExecute taint set by the driver evicts pods while DRADeviceTaintRules is off
      Given the feature gate "DRADeviceTaintRules" is off
      And a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-1" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:pod-not-running-yet
    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A NoExecute taint evicts a pod that is assigned to a node but not Running yet
      Given ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      And a pod "p" on node "node-1" that uses ResourceClaims "c, missing"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is reserved for pod "p"
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:pending-pod-with-generated-claim
    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A NoExecute taint evicts an assigned, Pending pod with a generated ResourceClaim
      Given the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0061}
        spec:
          nodeName: node-1
          resourceClaims: [{name: gpu, resourceClaimTemplateName: t}, {name: other, resourceClaimName: missing}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}, {name: other}]}}]
        status: {phase: Pending, resourceClaimStatuses: [{name: gpu, resourceClaimName: p-gpu-x}]}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: p-gpu-x
          namespace: default
          finalizers: [resource.kubernetes.io/delete-protection]
          annotations: {resource.kubernetes.io/pod-claim-name: gpu}
          ownerReferences:
            - {apiVersion: v1, kind: Pod, name: p, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0061, controller: true}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}}
          reservedFor: [{resource: pods, name: p, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0061}]
        """
      When the cluster reaches a steady state
      Then pod "p" is Pending
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:claim-being-deleted
    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A NoExecute taint evicts a pod whose ResourceClaim is already being deleted
      Given a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When ResourceClaim "c" is deleted
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And ResourceClaim "c" does not exist

    @case:other-device-or-no-claim
    @DRA/eviction/only-affected-pods
    Scenario: A NoExecute taint evicts neither pods with another device nor pods without ResourceClaims
      Given a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "d" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      And a pod "r" without ResourceClaims
      And ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      When pod "q" is created
      And pod "r" is created
      And the cluster reaches a steady state
      Then pod "q" is Running
      And pod "r" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" is Running
      And ResourceClaim "d" keeps its allocation
      And pod "r" is Running

    @case:pending-pod-gets-other-device
    @DRA/eviction/only-affected-pods
    Scenario: A Pending pod is not evicted by a NoExecute taint and is allocated an untainted device
      Given a ResourceClaim "c" requesting 2 devices
      And a ResourceClaim "d" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      When pod "q" is created
      And the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" is Running
      And ResourceClaim "d" is allocated exactly
        | device |
        | gpu-1  |

    @case:same-device-name-other-pool
    @DRA/eviction/only-affected-pods
    Scenario: A NoExecute taint evicts no pod with a device of the same name in another pool
      Given the device
        | device | pool   | attribute spare |
        | gpu-0  | pool-2 | bool true       |
      And a DeviceClass "in-use" with the selector
        """
        !device.attributes["dra.example.com"].?spare.orValue(false)
        """
      And a ResourceClaim "c" requesting 2 devices of class "in-use"
      And a DeviceTaintRule "r" with
        | driver          | pool | device | taint            |
        | dra.example.com | none | gpu-0  | broken:NoExecute |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When DeviceTaintRule "r" is updated with
        | field                    | value  |
        | spec.deviceSelector.pool | pool-2 |
      And the cluster reaches a steady state
      Then pod "p" is Running

    @case:pod-waiting-for-binding
    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A NoExecute taint does not evict a Pending pod whose device has unmet binding conditions
      Given the devices
        | device | pool   | bindingConditions | bindingFailureConditions |
        | nic-0  | pool-2 | attached          | broken                   |
      And a ResourceClaim "c" requesting 3 devices
      And a DeviceTaintRule "r" with
        | driver             | device | taint            |
        | nobody.example.com | nic-0  | broken:NoExecute |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "c" is reserved for pod "p"
      When DeviceTaintRule "r" is updated with
        | field                      | value           |
        | spec.deviceSelector.driver | dra.example.com |
      And the cluster reaches a steady state
      Then pod "p" is Pending

    @case:pod-after-binding-wait
    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A NoExecute taint evicts a running pod that has waited for bindingConditions
      Given the devices
        | device | pool   | bindingConditions | bindingFailureConditions |
        | nic-0  | pool-2 | attached          | broken                   |
      And a ResourceClaim "c" requesting 3 devices
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "c" is reserved for pod "p"
      When the status of ResourceClaim "c" is patched with
        """
        status:
          devices:
          - driver: dra.example.com
            pool: pool-2
            device: nic-0
            conditions:
            - {type: attached, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
        """
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-1" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And ResourceClaim "c" is not allocated

    @case:pod-without-reservation
    @DRA/eviction/noexecute-deletes-running-pods @DRA/eviction/only-affected-pods
    Scenario: A NoExecute taint does not evict a pod for which the ResourceClaim is not reserved
      Given a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When ResourceClaim "c" is deleted
      And a pod "q" on node "node-1" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then ResourceClaim "c" is reserved for pod "p"
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" is Pending

    @case:claim-of-another-owner
    @DRA/eviction/only-affected-pods
    Scenario: A pod is not evicted if the claim in its status was not generated from its template entry
      Given the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0011}
        spec:
          nodeName: node-1
          resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
        status:
          phase: Running
          resourceClaimStatuses: [{name: gpu, resourceClaimName: c}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}}
          reservedFor: [{resource: pods, name: p, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0011}]
        """
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" has
        | field                      | value   |
        | metadata.deletionTimestamp |         |
        | status.phase               | Running |

    @case:admin-access-pod
    @DRA/eviction/noexecute-deletes-running-pods @DRA/taint/admin-access-not-exempt
    Scenario: A NoExecute taint evicts a pod whose device is allocated with adminAccess
      Given the object
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: default, labels: {resource.k8s.io/admin-access: "true", resource.kubernetes.io/admin-access: "true"}}
        """
      And a ResourceClaim "c" with the request
        | request | count | adminAccess |
        | r0      | 2     | yes         |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:same-device-name-other-driver
    @DRA/eviction/only-affected-pods
    Scenario: A NoExecute taint evicts no pod with a device of the same name of another driver
      Given the devices
        | device | driver            | pool   |
        | gpu-0  | other.example.com | pool-1 |
      And a DeviceClass "mine" with the selector
        """
        device.driver == "dra.example.com"
        """
      And a ResourceClaim "c" requesting 2 devices of class "mine"
      And a DeviceTaintRule "r" with
        | driver             | taint            |
        | nobody.example.com | broken:NoExecute |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When DeviceTaintRule "r" is updated with
        | field                      | value             |
        | spec.deviceSelector.driver | other.example.com |
      And the cluster reaches a steady state
      Then pod "p" is Running

    @case:taint-in-older-generation
    @DRA/eviction/only-affected-pods
    Scenario: A NoExecute taint in a ResourceSlice of an older pool generation evicts no pod
      Given the feature gate "DRADeviceTaints" is on
      And a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: newer}
        spec:
          driver: dra.example.com
          nodeName: node-1
          pool: {name: pool-1, generation: 2, resourceSliceCount: 1}
          devices: [{name: gpu-0}, {name: gpu-1}]
        """
      And ResourceSlice "pool-1-slice" is updated with
        | field                  | value                              |
        | spec.devices[0].taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" keeps its allocation

    @case:other-pool-newer-generation
    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A newer generation of another pool does not prevent eviction by a NoExecute taint
      Given a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: another}
        spec:
          driver: dra.example.com
          nodeName: node-1
          pool: {name: pool-2, generation: 5, resourceSliceCount: 1}
          devices: [{name: nic-0}]
        """
      And the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:other-driver-newer-generation
    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A newer generation of an equally named pool of another driver does not prevent an eviction
      Given a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: another}
        spec:
          driver: nic.example.com
          nodeName: node-1
          pool: {name: pool-1, generation: 5, resourceSliceCount: 1}
          devices: [{name: nic-0}]
        """
      And the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:earlier-pool-newer-generation
    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A NoExecute taint evicts pods although another pool has a higher generation
      Given the feature gate "DRADeviceTaints" is on
      And the devices
        | device | pool   | attribute kind |
        | nic-0  | pool-2 | string nic     |
      And a DeviceClass "nic" with the selector
        """
        device.attributes["dra.example.com"].?kind.orValue("") == "nic"
        """
      And a ResourceClaim "c" requesting 1 device of class "nic"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When ResourceSlice "pool-1-slice" is updated with
        | field                | value |
        | spec.pool.generation | 5     |
      And ResourceSlice "pool-2-slice" is updated with
        | field                  | value                              |
        | spec.devices[0].taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:noschedule-does-not-evict
    @DRA/taint/noschedule-leaves-running-pods
    Scenario: A NoSchedule taint does not evict a running pod
      Given a ResourceClaim "c" requesting 2 devices
      And a ResourceClaim "d" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                               |
        | taints | [{key: broken, effect: NoSchedule}] |
      And 60 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" keeps its allocation
      When pod "q" is created
      And pod "p" is deleted
      And the cluster reaches a steady state
      Then pod "q" is Running
      And ResourceClaim "d" is allocated exactly
        | device |
        | gpu-1  |

    @case:effect-changed-to-noexecute
    @DRA/taint/noschedule-leaves-running-pods @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A running pod is evicted once the effect of the taint changes to NoExecute
      Given a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                               |
        | taints | [{key: broken, effect: NoSchedule}] |
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:tolerates-every-noexecute
    @DRA/eviction/tolerating-pods-stay
    Scenario: A pod whose ResourceClaim tolerates every NoExecute taint is not evicted
      Given a ResourceClaim "c" with the request
        | count | tolerations |
        | 2     | *:NoExecute |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" is Running
      But in Kubernetes 1.34, because this release does not record tolerations in the allocation, where the eviction controller reads them: pod "p" does not exist

    @case:tolerated-noschedule-second-pod
    @DRA/toleration/tolerated-taint-has-no-effect
    Scenario: A second pod can use an allocated claim that tolerates the NoSchedule taint of its device
      Given a ResourceClaim "c" with the request
        | count | tolerations     |
        | 2     | busy:NoSchedule |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                             |
        | taints | [{key: busy, effect: NoSchedule}] |
      And a pod "q" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running

    @case:noschedule-second-pod
    @DRA/taint/applies-to-all-pods-of-the-claim
    Scenario: A NoSchedule taint on an allocated device evicts no pod but keeps a second pod Pending
      Given a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                             |
        | taints | [{key: busy, effect: NoSchedule}] |
      And a pod "q" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Pending
      But since Kubernetes 1.34, because schedulers check device taints only during allocation, not when another pod uses the allocated claim: pod "q" is Running

    @case:noschedule-second-device
    @DRA/taint/applies-to-all-pods-of-the-claim
    Scenario: A second pod stays Pending if the second device of its allocated ResourceClaim is tainted
      Given a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-1" with
        | field  | value                             |
        | taints | [{key: busy, effect: NoSchedule}] |
      And a pod "q" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Pending
      But since Kubernetes 1.34, because schedulers check device taints only during allocation, not when another pod uses the allocated claim: pod "q" is Running

    @case:noschedule-second-claim
    @DRA/taint/applies-to-all-pods-of-the-claim
    Scenario: A pod stays Pending if the device of its second ResourceClaim has a NoSchedule taint
      Given ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      And ResourceClaim "d" is already allocated
        | device |
        | gpu-1  |
      When the driver updates the device "gpu-1" with
        | field  | value                             |
        | taints | [{key: busy, effect: NoSchedule}] |
      And a pod "q" that uses ResourceClaims "c, d" is created
      And the cluster reaches a steady state
      Then pod "q" is Pending
      But since Kubernetes 1.34, because schedulers check device taints only during allocation, not when another pod uses the allocated claim: pod "q" is Running

    @case:noexecute-allocated-claim
    @DRA/taint/applies-to-all-pods-of-the-claim @DRA/taint/noexecute-implies-noschedule
    Scenario: A pod stays Pending if its allocated ResourceClaim has a device with a NoExecute taint
      Given ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And a pod "q" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then pod "q" is Pending
      And ResourceClaim "c" is reserved for no pod
      But since Kubernetes 1.34, because schedulers check device taints only during allocation, so that the pod is placed and then evicted: pod "q" does not exist

  @profile:kep @profile:since-1.35
  Rule: Tolerations that prevent eviction

    @case:tolerated-without-limit
    @DRA/eviction/tolerating-pods-stay
    Scenario: A pod is not evicted if its ResourceClaim tolerates the taint without tolerationSeconds
      Given a ResourceClaim "c" with the request
        | count | tolerations      |
        | 2     | broken:NoExecute |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 100 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" keeps its allocation

    @case:toleration-of-other-request
    @DRA/eviction/tolerating-pods-stay @DRA/eviction/noexecute-deletes-running-pods
    Scenario Outline: Only a toleration in the request for the tainted device prevents eviction of the pod
      Given a DeviceClass "left" with the selector
        """
        device.driver == "left.example.com"
        """
      And a DeviceClass "right" with the selector
        """
        device.driver == "dra.example.com"
        """
      And the device
        | device | driver           | pool |
        | l-0    | left.example.com | left |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName | count | tolerations |
        | first   | left            | 1     | <first>     |
        | second  | right           | 2     | <second>    |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-1" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then <then>

      Examples:
        | outcome | first            | second           | then                   |
        | stays   |                  | broken:NoExecute | pod "p" is Running     |
        | goes    | broken:NoExecute |                  | pod "p" does not exist |

    @case:toleration-of-other-subrequest
    @DRA/eviction/tolerating-pods-stay @DRA/eviction/noexecute-deletes-running-pods
    Scenario Outline: Only a toleration in the allocated subrequest prevents eviction of the pod
      Given a ResourceClaim "c" with the requests
        | request | subrequest | count | selector                              | tolerations |
        | r0      | first      | 1     | device.driver == "nobody.example.com" | <first>     |
        | r0      | second     | 2     | device.driver == "dra.example.com"    | <second>    |
        | r0      | third      | 1     | device.driver == "dra.example.com"    | <third>     |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-1" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then <then>

      Examples:
        | outcome | first            | second           | third            | then                   |
        | stays   |                  | broken:NoExecute |                  | pod "p" is Running     |
        | goes    | broken:NoExecute |                  | broken:NoExecute | pod "p" does not exist |

    @case:noschedule-toleration
    @DRA/toleration/limited-to-effect @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A toleration with effect NoSchedule does not prevent eviction by a NoExecute taint
      Given a ResourceClaim "c" with the request
        | count | tolerations       |
        | 2     | broken:NoSchedule |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:one-of-two-taints-tolerated
    @DRA/taint/every-taint-must-be-tolerated @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A pod is evicted if its ResourceClaim tolerates only one of two NoExecute taints
      Given a ResourceClaim "c" with the request
        | count | tolerations      |
        | 2     | broken:NoExecute |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                                                           |
        | taints | [{key: broken, effect: NoExecute}, {key: hot, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:toleration-of-other-value
    @DRA/toleration/key-and-value-equal @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A toleration for another value of a NoExecute taint does not prevent eviction
      Given a ResourceClaim "c" with the request
        | count | tolerations          |
        | 2     | broken=fan:NoExecute |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                                             |
        | taints | [{key: broken, value: memory, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:toleration-without-effect
    @DRA/eviction/tolerating-pods-stay @DRA/toleration/limited-to-effect
    Scenario Outline: A toleration without effect prevents eviction by a NoExecute taint
      Given a ResourceClaim "c" with the request
        | count | tolerations  |
        | 2     | <toleration> |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" is Running
      But from Kubernetes 1.34 to 1.37, because the eviction controller considers only tolerations with the effect NoExecute: pod "p" does not exist

      Examples:
        | toleration |
        | broken     |

      @DRA/toleration/empty-matches-everything
      Examples:
        | toleration |
        | *          |
        | empty      |

  @profile:kep @profile:since-1.35
  Rule: Tolerations that delay eviction

    @case:toleration-seconds-delay
    @DRA/toleration/delays-eviction
    Scenario Outline: Eviction is delayed by tolerationSeconds, counted from the time the taint was added
      Given a ResourceClaim "c" with the request
        | count | tolerations                    |
        | 2     | broken:NoExecute for <seconds>s |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And <before> seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      When <after> seconds pass
      And the cluster reaches a steady state
      Then pod "p" does not exist

      Examples:
        | seconds | before | after |
        | 300     | 299    | 1     |
        | 30      | 22     | 8     |

    @case:delay-of-later-pod
    @DRA/toleration/delays-eviction
    Scenario: tolerationSeconds counts from the taint's timeAdded even for a pod created later
      Given a ResourceClaim "c" with the request
        | count | tolerations               |
        | 2     | broken:NoExecute for 300s |
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "c"
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 180 seconds pass
      And pod "q" is created
      And the cluster reaches a steady state
      Then pod "q" is Running
      When 112 seconds pass
      And the cluster reaches a steady state
      Then pod "q" is Running
      When 8 seconds pass
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" does not exist

    @case:controller-enabled-after-delay
    @DRA/toleration/delays-eviction
    Scenario: A pod is evicted at once if its tolerationSeconds passed before the controller was enabled
      Given the feature gate "DRADeviceTaints" is off in the controller manager
      And a ResourceClaim "c" with the request
        | count | tolerations              |
        | 2     | broken:NoExecute for 60s |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 70 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the feature gate "DRADeviceTaints" is turned on in the controller manager
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:controller-restart-during-delay
    @DRA/toleration/delays-eviction
    Scenario: A restart of the controller manager does not change the time of a delayed eviction
      Given a ResourceClaim "c" with the request
        | count | tolerations               |
        | 2     | broken:NoExecute for 60s  |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 40 seconds pass
      And the controller manager restarts
      And the cluster reaches a steady state
      Then pod "p" is Running
      When 20 seconds pass
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:time-added-by-driver
    @DRA/toleration/delays-eviction
    Scenario: The delay of an eviction is counted from the timeAdded that the driver sets
      Given a ResourceClaim "c" with the request
        | count | tolerations               |
        | 2     | broken:NoExecute for 300s |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                                                                 |
        | taints | [{key: broken, effect: NoExecute, timeAdded: "2020-01-01T10:00:00Z"}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:zero-or-negative-seconds
    @DRA/toleration/delays-eviction
    Scenario Outline: A toleration with zero or negative tolerationSeconds does not delay the eviction
      Given a pod "p" that uses ResourceClaim "c"
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        spec:
          devices:
            requests:
            - name: r0
              exactly:
                deviceClassName: any
                allocationMode: ExactCount
                count: 2
                tolerations: [{key: broken, operator: Exists, effect: NoExecute, tolerationSeconds: <seconds>}]
        """
      And a DeviceClass "any"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist

      Examples:
        | seconds |
        | 0       |
        | -5      |

    @case:shorter-of-two-tolerations
    @DRA/toleration/delays-eviction
    Scenario: Eviction is delayed by the shortest tolerationSeconds of all tolerations for the taint
      Given a ResourceClaim "c" with the request
        | count | tolerations                                        |
        | 2     | broken:NoExecute for 30s, *:NoExecute for 10s |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 5 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      When 5 seconds pass
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:unlimited-toleration-wins
    @DRA/toleration/delays-eviction
    Scenario: A toleration without tolerationSeconds prevents eviction whatever the other tolerations
      Given a ResourceClaim "c" with the request
        | count | tolerations                                |
        | 2     | broken:NoExecute, *:NoExecute for 10s |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 40 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running

    @case:two-tainted-devices
    @DRA/toleration/delays-eviction
    Scenario: A pod with two tainted devices is evicted after the shorter of two tolerationSeconds
      Given a ResourceClaim "c" with the request
        | count | tolerations                                       |
        | 2     | broken:NoExecute for 60s, hot:NoExecute for 30s |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the driver updates the device "gpu-1" with
        | field  | value                           |
        | taints | [{key: hot, effect: NoExecute}] |
      And 25 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      When 5 seconds pass
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:pod-with-two-tainted-claims
    @DRA/toleration/delays-eviction
    Scenario: A pod is evicted after the shorter tolerationSeconds of its two ResourceClaims
      Given a ResourceClaim "c" with the request
        | count | tolerations              |
        | 1     | broken:NoExecute for 30s |
      And a ResourceClaim "d" with the request
        | count | tolerations              |
        | 1     | broken:NoExecute for 60s |
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaims "c, d"
      And a pod "r" that uses ResourceClaim "d"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running
      And pod "r" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the driver updates the device "gpu-1" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 30 seconds pass
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" does not exist
      And pod "r" is Running
      And ResourceClaim "c" is not allocated
      And ResourceClaim "d" is reserved for pod "r"
      When 30 seconds pass
      And the cluster reaches a steady state
      Then pod "r" does not exist
      And ResourceClaim "d" is not allocated

    @case:removed-taint-cancels
    @DRA/eviction/removed-taint-cancels
    Scenario: Removing a taint cancels a delayed eviction, and adding it again restarts the delay
      Given a ResourceClaim "c" with the request
        | count | tolerations               |
        | 2     | broken:NoExecute for 300s |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 200 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value |
        | taints | null  |
      And the cluster reaches a steady state
      Then since Kubernetes 1.34, because the document does not say which event is reported: pod "p" has an event DeviceTaintManagerEviction
      When 200 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 299 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      When 1 second passes
      And the cluster reaches a steady state
      Then pod "p" does not exist

  @profile:kep @profile:since-1.35
  Rule: Eviction of pods that share a device

    @case:shared-device-evicts-both
    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A NoExecute taint evicts all pods with a shared allocation of the device
      Given the device
        | device | allowMultipleAllocations | capacity bw |
        | nic-0  | yes                      | 10          |
      And a ResourceClaim "c" requesting 4 of "bw"
      And a ResourceClaim "d" requesting 4 of "bw"
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running
      When the driver updates the device "nic-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" does not exist

    @case:one-shared-allocation-tolerates
    @DRA/eviction/tolerating-pods-stay @DRA/eviction/noexecute-deletes-running-pods @DRA/toleration/delays-eviction
    Scenario: A NoExecute taint evicts only the pods whose shared allocation does not tolerate the taint
      Given the device
        | device | allowMultipleAllocations | capacity bw |
        | nic-0  | yes                      | 10          |
      And a ResourceClaim "c" with the request
        | capacity bw | tolerations      |
        | 3           | broken:NoExecute |
      And a ResourceClaim "d" requesting 3 of "bw"
      And a ResourceClaim "e" with the request
        | capacity bw | tolerations              |
        | 3           | broken:NoExecute for 30s |
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      And a pod "r" that uses ResourceClaim "e"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running
      And pod "r" is Running
      When the driver updates the device "nic-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" does not exist
      And pod "r" is Running
      When 30 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "r" does not exist
      And ResourceClaim "e" is not allocated

  @profile:kep @profile:since-1.35
  Rule: Eviction by DeviceTaintRules

    @case:example-rule
    @DRA/taint-rule/example @DRA/eviction/only-affected-pods
    Scenario: The example DeviceTaintRule in the DRA docs evicts pods and keeps new pods Pending
      Given the devices
        | device | driver            | pool   |
        | nic-0  | net.example.com   | pool-2 |
      And a DeviceClass "gpu" with the selector
        """
        device.driver == "dra.example.com"
        """
      And a DeviceClass "nic" with the selector
        """
        device.driver == "net.example.com"
        """
      And a ResourceClaim "c" requesting 1 device of class "gpu"
      And a ResourceClaim "d" requesting 1 device of class "gpu"
      And a ResourceClaim "e" requesting 1 device of class "nic"
      And a ResourceClaim "f" with the request
        | deviceClassName | tolerations                         |
        | gpu             | dra.example.com/unhealthy:NoExecute |
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      And a pod "r" that uses ResourceClaim "e"
      And a pod "s" that uses ResourceClaim "c"
      And a pod "u" that uses ResourceClaim "f"
      And a DeviceTaintRule "example" with
        | driver          | taint                                      |
        | dra.example.com | dra.example.com/unhealthy=Broken:NoExecute |
      When pod "p" is created
      And pod "q" is created
      And pod "r" is created
      And the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "r" is Running
      When DeviceTaintRule "example" is updated with
        | field                      | value              |
        | spec.deviceSelector.driver | nobody.example.com |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running
      When DeviceTaintRule "example" is updated with
        | field                      | value           |
        | spec.deviceSelector.driver | dra.example.com |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" does not exist
      And pod "r" is Running
      When pod "s" is created
      And pod "u" is created
      And the cluster reaches a steady state
      Then pod "s" is Pending
      And pod "u" is Running

    @case:rule-together-with-driver-taint
    @DRA/taint-rule/adds-one-taint-to-matching-devices @DRA/taint/every-taint-must-be-tolerated
    Scenario: A DeviceTaintRule evicts a pod that tolerates only the taint set by the driver
      Given a ResourceClaim "c" with the request
        | count | tolerations    |
        | 2     | warm:NoExecute |
      And a DeviceTaintRule "r" with
        | device | taint            |
        | gpu-9  | repair:NoExecute |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                            |
        | taints | [{key: warm, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" is Running
      When DeviceTaintRule "r" is updated with
        | field                      | value |
        | spec.deviceSelector.device | gpu-0 |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:rule-for-one-device
    @DRA/eviction/only-affected-pods @DRA/taint-rule/select-by-device
    Scenario: A DeviceTaintRule for one device evicts only the pod that uses the device
      Given a DeviceTaintRule "r" with
        | driver          | pool   | device | taint            |
        | dra.example.com | pool-1 | gpu-9  | repair:NoExecute |
      Given a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "d" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      And ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      When pod "q" is created
      And the cluster reaches a steady state
      Then pod "q" is Running
      When DeviceTaintRule "r" is updated with
        | field                      | value |
        | spec.deviceSelector.device | gpu-1 |
      And the cluster reaches a steady state
      Then pod "q" does not exist
      And pod "p" is Running

    @case:deleted-rule-cancels
    @DRA/eviction/removed-taint-cancels
    Scenario: Deleting a DeviceTaintRule before tolerationSeconds have passed cancels the eviction
      Given a ResourceClaim "c" with the request
        | count | tolerations              |
        | 2     | repair:NoExecute for 30s |
      And a DeviceTaintRule "r" with
        | device | taint            |
        | gpu-0  | repair:NoExecute |
      And a pod "p" that uses ResourceClaim "c"
      And a pod "waiting" without ResourceClaims
      When the cluster reaches a steady state
      Then pod "p" is Running
      When 20 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      When DeviceTaintRule "r" is deleted
      And the cluster reaches a steady state
      Then since Kubernetes 1.34, because the document does not say which event is reported: pod "p" has an event DeviceTaintManagerEviction
      When 3600 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" keeps its allocation

    @case:remaining-rule-evicts
    @DRA/taint-rule/lifetime @DRA/toleration/delays-eviction
    Scenario: A second DeviceTaintRule still evicts a pod after the first one is deleted
      Given a ResourceClaim "c" with the request
        | count | tolerations                                         |
        | 2     | repair:NoExecute for 30s, audit:NoExecute for 60s |
      And a DeviceTaintRule "r" with
        | device | taint            |
        | gpu-0  | repair:NoExecute |
      And a DeviceTaintRule "s" with
        | device | taint           |
        | gpu-1  | audit:NoExecute |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      When DeviceTaintRule "r" is deleted
      And 52 seconds pass
      And the cluster reaches a steady state
      Then pod "p" is Running
      When 8 seconds pass
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:rule-without-selector
    @DRA/taint-rule/no-selector-matches-nothing
    Scenario: A DeviceTaintRule without deviceSelector evicts no pod
      Given a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a DeviceTaintRule "r" with
        | driver             | taint            |
        | nobody.example.com | repair:NoExecute |
      When the cluster reaches a steady state
      Then pod "p" is Running
      When DeviceTaintRule "r" is updated with
        | field               | value |
        | spec.deviceSelector | null  |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" keeps its allocation

    @case:rule-selector-removed
    @DRA/taint-rule/no-selector-matches-nothing
    Scenario: A DeviceTaintRule without deviceSelector evicts no pod whose device is no longer published
      Given a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a DeviceTaintRule "r" with
        | driver             | taint            |
        | nobody.example.com | repair:NoExecute |
      When the cluster reaches a steady state
      Then pod "p" is Running
      When ResourceSlice "pool-1-slice" is deleted
      And DeviceTaintRule "r" is updated with
        | field               | value |
        | spec.deviceSelector | null  |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" keeps its allocation

  @profile:since-1.35
  Rule: The feature gate of DeviceTaintRules

    @case:taint-rules-off-in-controller
    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: A DeviceTaintRule evicts no pod while DRADeviceTaintRules is off in the controller manager
      Given the feature gate "DRADeviceTaintRules" is off in the controller manager
      And a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      And a DeviceTaintRule "r" with
        | driver             | taint            |
        | nobody.example.com | broken:NoExecute |
      When the cluster reaches a steady state
      Then pod "p" is Running
      When DeviceTaintRule "r" is updated with
        | field                      | value           |
        | spec.deviceSelector.driver | dra.example.com |
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the feature gate "DRADeviceTaintRules" is turned on in the controller manager
      And the cluster reaches a steady state
      Then pod "p" does not exist

  @profile:since-1.35
  Rule: DeviceTaintRules for devices that are no longer published

    @case:unpublished-device-by-driver
    @DRA/taint-rule/independent-of-driver
    Scenario: A DeviceTaintRule for a driver also evicts pods whose device is no longer published
      Given the devices
        | device | driver          | pool   |
        | nic-0  | net.example.com | pool-2 |
      And a DeviceClass "gpu" with the selector
        """
        device.driver == "dra.example.com"
        """
      And a DeviceClass "nic" with the selector
        """
        device.driver == "net.example.com"
        """
      And a ResourceClaim "c" requesting 1 device of class "gpu"
      And a ResourceClaim "d" requesting 1 device of class "nic"
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      And a DeviceTaintRule "r" with
        | driver             | taint            |
        | nobody.example.com | repair:NoExecute |
      When the cluster reaches a steady state
      Then pod "p" is Running
      When ResourceSlice "pool-1-slice" is deleted
      And ResourceSlice "pool-2-slice" is deleted
      And the cluster reaches a steady state
      Then pod "p" is Running
      When DeviceTaintRule "r" is updated with
        | field                      | value           |
        | spec.deviceSelector.driver | dra.example.com |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" is Running

    @case:unpublished-device-by-pool
    @DRA/taint-rule/independent-of-driver @DRA/taint-rule/select-by-pool
    Scenario: A DeviceTaintRule for a pool also evicts pods whose device is no longer published
      Given a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a DeviceTaintRule "r" with
        | pool  | taint            |
        | other | repair:NoExecute |
      When the cluster reaches a steady state
      Then pod "p" is Running
      When ResourceSlice "pool-1-slice" is deleted
      And the cluster reaches a steady state
      Then pod "p" is Running
      When DeviceTaintRule "r" is updated with
        | field                    | value  |
        | spec.deviceSelector.pool | pool-1 |
      And the cluster reaches a steady state
      Then pod "p" does not exist

    @case:unpublished-device-by-name
    @DRA/taint-rule/independent-of-driver @DRA/taint-rule/select-by-device
    Scenario Outline: A DeviceTaintRule for an unpublished device evicts only the pod that uses the device
      Given a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "d" requesting 1 device
      And ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      And ResourceClaim "d" is already allocated
        | device |
        | gpu-1  |
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      And a DeviceTaintRule "r" with
        | device | taint            |
        | gpu-7  | repair:NoExecute |
      When the cluster reaches a steady state
      Then pod "p" is Running
      When ResourceSlice "pool-1-slice" is deleted
      And the cluster reaches a steady state
      Then pod "p" is Running
      When DeviceTaintRule "r" is updated with
        | field               | value      |
        | spec.deviceSelector | <selector> |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" is Running

      Examples:
        | more                            | selector                                               |
        |                                 | {device: gpu-0}                                        |
        | of a pool                       | {pool: pool-1, device: gpu-0}                          |
        | of a pool and a driver          | {driver: dra.example.com, pool: pool-1, device: gpu-0} |

    @case:unpublished-device-elsewhere
    @DRA/taint-rule/independent-of-driver
    Scenario Outline: A DeviceTaintRule for another pool or driver does not evict pods with unpublished devices
      Given a ResourceClaim "c" requesting 1 device
      And ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      And a pod "p" that uses ResourceClaim "c"
      And a DeviceTaintRule "r" with
        | device | taint            |
        | gpu-7  | repair:NoExecute |
      When the cluster reaches a steady state
      Then pod "p" is Running
      When ResourceSlice "pool-1-slice" is deleted
      And DeviceTaintRule "r" is updated with
        | field               | value      |
        | spec.deviceSelector | <selector> |
      And the cluster reaches a steady state
      Then pod "p" is Running
      When DeviceTaintRule "r" is updated with
        | field               | value           |
        | spec.deviceSelector | {device: gpu-0} |
      And the cluster reaches a steady state
      Then pod "p" does not exist

      Examples:
        | of     | selector                                             |
        | pool   | {pool: other, device: gpu-0}                         |
        | driver | {driver: net.example.com, device: gpu-0}             |

  @profile:kep
  Rule: DeviceTaintRules that select by DeviceClass

    @case:rule-for-class
    @DRA/taint-rule/select-by-class @DRA/eviction/only-affected-pods
    Scenario: A DeviceTaintRule for a DeviceClass evicts only pods with a device of the DeviceClass
      Given the devices
        | device | driver          | pool   |
        | nic-0  | net.example.com | pool-2 |
      And a DeviceClass "gpu" with the selector
        """
        device.driver == "dra.example.com"
        """
      And a DeviceClass "nic" with the selector
        """
        device.driver == "net.example.com"
        """
      And a ResourceClaim "c" requesting 1 device of class "gpu"
      And a ResourceClaim "d" requesting 1 device of class "nic"
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "d"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running
      When this object is created
        """
        apiVersion: resource.k8s.io/v1alpha3
        kind: DeviceTaintRule
        metadata: {name: r}
        spec:
          deviceSelector: {deviceClassName: gpu}
          taint: {key: repair, effect: NoExecute}
        """
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And pod "q" is Running

    @case:rule-follows-class
    @DRA/taint-rule/select-by-class @DRA/taint-rule/lifetime
    Scenario: A DeviceTaintRule for a DeviceClass evicts pods after a change of the DeviceClass
      Given a DeviceClass "gpu" with the selector
        """
        device.driver == "nobody.example.com"
        """
      And a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      And a DeviceTaintRule "r" with
        | deviceClassName | taint            |
        | gpu             | repair:NoExecute |
      When the cluster reaches a steady state
      Then pod "p" is Running
      When DeviceClass "gpu" is updated with
        | field                            | value                             |
        | spec.selectors[0].cel.expression | device.driver == "dra.example.com" |
      And the cluster reaches a steady state
      Then pod "p" does not exist

  @profile:since-1.34
  Rule: Pod conditions and events of an eviction

    @case:disruption-target-condition
    @DRA/eviction/noexecute-deletes-running-pods @DRA/eviction/by-device-taint-controller
    Scenario: An evicted pod gets a DisruptionTarget condition and an event
      Given a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field               | value              |
        | metadata.finalizers | [example.com/hold] |
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" has
        | field                                           | value                        |
        | status.conditions[type=DisruptionTarget].status | "True"                       |
        | status.conditions[type=DisruptionTarget].reason | DeletionByDeviceTaintManager |
      And pod "p" has an event DeviceTaintManagerEviction

    @case:disruption-target-replaced
    @DRA/eviction/by-device-taint-controller
    Scenario: Eviction replaces a pod's earlier DisruptionTarget condition and keeps other conditions
      Given a ResourceClaim "c" requesting 2 devices
      And a pod "p" that uses ResourceClaim "c"
      When pod "p" is created with
        | field               | value              |
        | metadata.finalizers | [example.com/hold] |
      And the cluster reaches a steady state
      Then pod "p" is Running
      When the status of pod "p" is updated with
        | field             | value                                                                                             |
        | status.conditions | [{type: DisruptionTarget, status: "False"}, {type: example.com/warm, status: "True"}] |
      And the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" has
        | field                                           | value                        |
        | status.conditions[type=DisruptionTarget].status | "True"                       |
        | status.conditions[type=DisruptionTarget].reason | DeletionByDeviceTaintManager |
        | status.conditions[type=example.com/warm].status | "True"                       |

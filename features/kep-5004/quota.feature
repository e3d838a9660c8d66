@profile:kep @profile:since-1.35
Feature: Quotas of DeviceClasses and extended resources
  The quotas of an extended resource, of the implicit name of its DeviceClass and of the devices of this DeviceClass
  count the same devices. Only devices of device plugins count in the explicit quota alone.

  Background:
    Given a DeviceClass "mygpuclass" for extended resource "example.com/gpu"
    And the object
      """
      apiVersion: v1
      kind: Node
      metadata: {name: plugin, labels: {kubernetes.io/hostname: plugin}}
      status: {allocatable: {example.com/gpu: 4}}
      """
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
      | gpu-2  | dra  |
      | gpu-3  | dra  |
    And a node "dra" with the labels
      | label                  | value |
      | kubernetes.io/hostname | dra   |

  Rule: Quota example of KEP-5004

    @case:worked-example-with-deletions
    @KEP-5004/quota/worked-example-after-adjustment @KEP-5004/quota/release-on-delete
    @KEP-5004/quota/implicit-counts-claims-and-explicit-dra @KEP-5004/quota/class-counts-special-claims
    @KEP-5004/quota/explicit-counts-implicit-requests
    Scenario: Quota usage in the KEP's example decreases with each deleted pod or ResourceClaim
      Given a ResourceQuota "q" with the hard limits 10 of "requests.example.com/gpu" and 10 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 10 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      And a ResourceClaimTemplate "t" requesting 1 device of class "mygpuclass"
      When the cluster reaches a steady state
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: gpu-0, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: plugin}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: gpu-1, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: dra}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      When a pod "gpu-2" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      When a ResourceClaim "gpu-3" requesting 1 device of class "mygpuclass" is created
      When a pod "gpu-4" that uses the ResourceClaimTemplate "t" is created
      When the cluster reaches a steady state
      Then pod "gpu-0" is Running on node "plugin"
      And pod "gpu-1" is Running on node "dra"
      And ResourceQuota "q" reports 5 of "requests.example.com/gpu" and 4 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 4 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used
      When pod "gpu-1" is deleted
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports 4 of "requests.example.com/gpu" and 3 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 3 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used
      When pod "gpu-0" is deleted
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports 3 of "requests.example.com/gpu" and 3 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 3 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used
      When pod "gpu-2" is deleted
      When pod "gpu-4" is deleted
      When ResourceClaim "gpu-3" is deleted
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports 0 of "requests.example.com/gpu" and 0 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 0 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used

    @case:worked-example-gate-off-and-on
    @KEP-5004/quota/worked-example-before-adjustment @KEP-5004/quota/after-enablement-and-upgrade
    Scenario: Extended resource quotas in the KEP's example count claims once DRAExtendedResource is on
      Given a ResourceQuota "q" with the hard limits 10 of "requests.example.com/gpu" and 10 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 10 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      And a ResourceClaimTemplate "t" requesting 1 device of class "mygpuclass"
      When the cluster reaches a steady state
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: gpu-0, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: plugin}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: gpu-1, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: dra}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      When a pod "gpu-2" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      When a ResourceClaim "gpu-3" requesting 1 device of class "mygpuclass" is created
      When a pod "gpu-4" that uses the ResourceClaimTemplate "t" is created
      When the cluster reaches a steady state
      When the feature gate "DRAExtendedResource" is turned off
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports 2 of "requests.example.com/gpu" and 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 4 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used
      When the feature gate "DRAExtendedResource" is turned on
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports 5 of "requests.example.com/gpu" and 4 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 4 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used

  Rule: Pods and ResourceClaims that use up a quota

    @case:claims-use-up-explicit-quota
    @KEP-5004/quota/limit-enforced-after-adjustment @KEP-5004/quota/explicit-counts-resource-claims
    Scenario: A pod is rejected if ResourceClaims have used up the quota of its extended resource
      Given a ResourceQuota "q" with the hard limits 2 of "requests.example.com/gpu"
      And a ResourceClaim "c" requesting 1 device of class "mygpuclass"
      And a ResourceClaim "d" requesting 1 device of class "mygpuclass"
      When the cluster reaches a steady state
      When a pod "p" that requests 1 of "example.com/gpu" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden

    @case:pod-uses-up-explicit-quota
    @KEP-5004/quota/pending-pod
    Scenario: A ResourceClaim and a pod are rejected if a pod has used up the quota of the explicit name
      Given a ResourceQuota "q" with the hard limits 2 of "requests.example.com/gpu"
      When the cluster reaches a steady state
      When a pod "p" that requests 2 of "example.com/gpu" is created
      Then the object is stored
      When a ResourceClaim "c" requesting 1 device of class "mygpuclass" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden
      When a pod "q" that requests 1 of "example.com/gpu" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden

    @case:claim-uses-up-implicit-quota
    @KEP-5004/quota/limit-enforced-after-adjustment @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
    Scenario: A pod is rejected if a ResourceClaim has used up the quota of the implicit name
      Given a ResourceQuota "q" with the hard limits 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And a ResourceClaim "c" requesting 1 device of class "mygpuclass"
      When the cluster reaches a steady state
      When a pod "p" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden

    @case:plugin-pods-outside-class-quotas
    @KEP-5004/quota/implicit-and-class-exclude-device-plugin @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario: Device plugin pods use up neither the implicit-name quota nor the DeviceClass quota
      Given a ResourceQuota "q" with the hard limits 10 of "requests.example.com/gpu" and 1 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 1 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When the cluster reaches a steady state
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: a, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: plugin}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      Then the object is stored
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: b, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: plugin}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      Then the object is stored
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports 2 of "requests.example.com/gpu" and 0 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 0 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used

    @case:implicit-pod-uses-up-explicit-quota
    @KEP-5004/quota/explicit-counts-implicit-requests @KEP-5004/quota/no-double-count
    Scenario: A pod that requests the implicit name uses up the quota of the explicit name
      Given a ResourceQuota "q" with the hard limits 2 of "requests.example.com/gpu"
      When the cluster reaches a steady state
      When a pod "p" that requests 2 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      Then the object is stored
      When the cluster reaches a steady state
      Then pod "p" is Running on node "dra"
      When a pod "r" that requests 1 of "example.com/gpu" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden

    @case:exact-fit-of-pod-and-claim
    @KEP-5004/quota/no-double-count @KEP-5004/quota/class-counts-special-claims
    Scenario: A pod and its extended-resource claim fit into quotas that allow exactly the pod's devices
      Given a ResourceQuota "q" with the hard limits 2 of "requests.example.com/gpu" and 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When the cluster reaches a steady state
      When a pod "p" that requests 2 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      Then the object is stored
      When the cluster reaches a steady state
      Then pod "p" is Running on node "dra"
      And ResourceQuota "q" reports 2 of "requests.example.com/gpu" and 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 2 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used
      When a ResourceClaim "c" requesting 1 device of class "mygpuclass" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden

    @case:claim-uses-up-class-quota
    @KEP-5004/quota/class-counts-special-claims
    Scenario: An extended-resource claim uses up the DeviceClass quota, so a ResourceClaim is rejected
      Given a ResourceQuota "q" with the hard limits 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When the cluster reaches a steady state
      When a pod "p" that requests 2 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      Then the object is stored
      When the cluster reaches a steady state
      Then pod "p" is Running on node "dra"
      When a ResourceClaim "c" requesting 1 device of class "mygpuclass" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden

    @case:template-claim-not-created
    @KEP-5004/quota/explicit-counts-resource-claims
    Scenario: A template's ResourceClaim is not created if it exceeds the quota of the explicit name
      Given a ResourceQuota "q" with the hard limits 1 of "requests.example.com/gpu"
      And a ResourceClaimTemplate "t" requesting 2 devices of class "mygpuclass"
      When the cluster reaches a steady state
      When a pod "p" that uses the ResourceClaimTemplate "t" is created
      Then the object is stored
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "t of pod p" does not exist
      And ResourceQuota "q" reports 0 of "requests.example.com/gpu" as used

    @case:unallocated-claim-of-template-counts
    @KEP-5004/quota/explicit-counts-resource-claims @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
    Scenario: A template's claim counts in explicit-name and implicit-name quotas before allocation
      Given a ResourceQuota "q" with the hard limits 10 of "requests.example.com/gpu" and 10 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 10 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      And a ResourceClaimTemplate "t" requesting 5 devices of class "mygpuclass"
      And a pod "p" that uses the ResourceClaimTemplate "t"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "t of pod p" is not allocated
      And ResourceQuota "q" reports 5 of "requests.example.com/gpu" and 5 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 5 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used

    @case:claim-of-failed-attempt-not-counted
    @KEP-5004/quota/class-counts-special-claims @KEP-5004/quota/release-on-delete
    Scenario: The quota counts only the last extended-resource claim of a pod after a failed attempt
      Given a ResourceQuota "q" with the hard limits 10 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When the cluster reaches a steady state
      And the next 1 update of the status of a ResourceClaim by components fails with InternalError
      And a pod "p" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      And the cluster reaches a steady state
      Then pod "p" is Running on node "dra"
      And ResourceQuota "q" reports 1 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used

    @case:class-quota-rejects-claim
    @KEP-5004/quota/class-quota-blocks-special-claim
    Scenario: A pod is stored but stays Pending if the DeviceClass quota rejects its claim
      Given a ResourceQuota "q" with the hard limits 0 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When the cluster reaches a steady state
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: dra}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      Then the object is stored
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And pod "p" has no extended-resource claim
      And ResourceQuota "q" reports 0 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used

    @case:other-namespace-not-limited
    @KEP-5004/quota/per-namespace @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario: A quota does not limit ResourceClaims in another namespace
      Given a ResourceQuota "q" with the hard limits 1 of "requests.example.com/gpu"
      When the cluster reaches a steady state
      When a ResourceClaim "c" requesting 1 device of class "mygpuclass" is created
      Then the object is stored
      When a ResourceClaim "team-a/c" requesting 1 device of class "mygpuclass" is created
      Then the object is stored
      When a ResourceClaim "d" requesting 1 device of class "mygpuclass" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden

    @case:namespace-with-common-prefix
    @KEP-5004/quota/per-namespace @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario: A quota in namespace team-b does not limit namespace team
      Given a ResourceQuota "team-b/q" with the hard limits 0 of "requests.example.com/gpu"
      When the cluster reaches a steady state
      And a ResourceClaim "team/c" requesting 1 device of class "mygpuclass" is created
      Then the object is stored
      When a ResourceClaim "team-b/c" requesting 1 device of class "mygpuclass" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden

    @case:three-namespaces
    @KEP-5004/quota/per-namespace
    Scenario: A quota counts only the ResourceClaims of its own namespace
      Given a ResourceQuota "q" with the hard limits 9 of "requests.example.com/gpu" and 9 of "count/resourceclaims.resource.k8s.io"
      And a ResourceQuota "team-a/q" with the hard limits 9 of "requests.example.com/gpu" and 9 of "count/resourceclaims.resource.k8s.io"
      And a ResourceClaim "c" requesting 2 devices of class "mygpuclass"
      And a ResourceClaim "team-a/c" requesting 1 device of class "mygpuclass"
      And a ResourceClaim "team-a/d" requesting 3 devices of class "mygpuclass"
      And a ResourceClaim "team-b/c" requesting 1 device of class "mygpuclass"
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports 2 of "requests.example.com/gpu" and 1 of "count/resourceclaims.resource.k8s.io" as used
      And ResourceQuota "team-a/q" reports 4 of "requests.example.com/gpu" and 2 of "count/resourceclaims.resource.k8s.io" as used

    @case:ended-plugin-pod-released
    @KEP-5004/quota/ended-pod
    Scenario Outline: A quota admits a pod again after a device plugin pod succeeds or fails
      Given a ResourceQuota "q" with the hard limits 1 of "requests.example.com/gpu"
      When the cluster reaches a steady state
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          nodeSelector: {kubernetes.io/hostname: plugin}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      Then the object is stored
      When the cluster reaches a steady state
      Then pod "p" is Running on node "plugin"
      When a pod "r" that requests 1 of "example.com/gpu" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden
      When pod "p" <ends>
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports 0 of "requests.example.com/gpu" as used
      When a pod "r" that requests 1 of "example.com/gpu" is created
      Then the object is stored

      Examples:
        | ends     |
        | finishes |
        | fails    |

    @case:limit-raised-and-lowered
    @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario: A ResourceClaim is stored after the quota limit is raised and rejected after it is lowered
      Given a ResourceQuota "q" with the hard limits 1 of "requests.example.com/gpu"
      And a ResourceClaim "c" requesting 1 device of class "mygpuclass"
      When the cluster reaches a steady state
      And a ResourceClaim "d" requesting 1 device of class "mygpuclass" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden
      When ResourceQuota "q" is updated with
        | field     | value                           |
        | spec.hard | {requests.example.com/gpu: "2"} |
      And the cluster reaches a steady state
      And a ResourceClaim "d" requesting 1 device of class "mygpuclass" is created
      Then the object is stored
      When ResourceQuota "q" is updated with
        | field     | value                           |
        | spec.hard | {requests.example.com/gpu: "1"} |
      And the cluster reaches a steady state
      Then ResourceQuota "q" reports 2 of "requests.example.com/gpu" as used
      When a ResourceClaim "e" requesting 1 device of class "mygpuclass" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden

    @case:resource-removed-from-quota
    @KEP-5004/quota/limit-enforced-after-adjustment
    Scenario: A resource that is removed from a quota is no longer limited
      Given a ResourceQuota "q" with the hard limits 1 of "requests.example.com/gpu" and 5 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      And a ResourceClaim "c" requesting 1 device of class "mygpuclass"
      When the cluster reaches a steady state
      And ResourceQuota "q" is updated with
        | field     | value                                                   |
        | spec.hard | {mygpuclass.deviceclass.resource.k8s.io/devices: "5"}   |
      And the cluster reaches a steady state
      Then ResourceQuota "q" reports 1 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used
      But since Kubernetes 1.35, because no document says whether the status drops the resource: ResourceQuota "q" has
        | field       | value                                                 |
        | status.used | {mygpuclass.deviceclass.resource.k8s.io/devices: "1"} |
      When a ResourceClaim "d" requesting 1 device of class "mygpuclass" is created
      Then the object is stored

  Rule: Quota usage before the extended-resource claim exists

    @case:claim-created-counts-everywhere
    @KEP-5004/quota/pending-pod
    Scenario: A pod counts in implicit-name and DeviceClass quotas only after its claim is created
      Given a ResourceQuota "q" with the hard limits 10 of "requests.example.com/gpu" and 10 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 10 of "mygpuclass.deviceclass.resource.k8s.io/devices"
      When the cluster reaches a steady state
      When a pod "p" that requests 5 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      Then the object is stored
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceQuota "q" reports 0 of "requests.example.com/gpu" and 5 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 0 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used
      When a pod "r" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
      When the cluster reaches a steady state
      Then pod "r" is Running on node "dra"
      And ResourceQuota "q" reports 1 of "requests.example.com/gpu" and 6 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 1 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used
